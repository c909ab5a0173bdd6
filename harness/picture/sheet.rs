//! Contact sheets: many small pictures in a grid, each with its label.
use super::{GLYPH_HEIGHT, Picture, draw_text, text_width};

/// One picture of a contact sheet.
#[derive(Debug, Clone)]
pub struct Cell {
    /// What stands under it, such as the entry's number.
    pub label: String,
    /// The picture.
    pub picture: Picture,
}

const BACKGROUND: [u8; 4] = [18, 20, 24, 255];
const LABEL_BACKGROUND: [u8; 4] = [38, 42, 50, 255];
const LABEL: [u8; 4] = [235, 238, 242, 255];
/// Between cells and around the sheet, in pixels.
const GAP: u32 = 4;
/// Above and below a label.
const PADDING: u32 = 3;

/// Lays `cells` out in rows of `columns`, left to right, each as wide and high as the largest picture. Labels too
/// long for their cell are cut at its edge.
///
/// The number of columns is at least one, and no more than there are cells.
#[must_use]
pub fn contact_sheet(cells: &[Cell], columns: u32) -> Picture {
    let columns = columns.clamp(1, (cells.len() as u32).max(1));
    let rows = (cells.len() as u32).div_ceil(columns);
    let cell_width = cells.iter().map(|cell| cell.picture.width()).max().unwrap_or(0);
    let picture_height = cells.iter().map(|cell| cell.picture.height()).max().unwrap_or(0);
    let scale = if cell_width >= 160 { 2 } else { 1 };
    let label_height = GLYPH_HEIGHT * scale + 2 * PADDING;
    let cell_height = picture_height + label_height;
    let mut sheet = Picture::filled(
        GAP + columns * (cell_width + GAP),
        GAP + rows * (cell_height + GAP),
        BACKGROUND,
    );
    for (index, cell) in (0..).zip(cells) {
        let x = GAP + index % columns * (cell_width + GAP);
        let y = GAP + index / columns * (cell_height + GAP);
        sheet.paste(&cell.picture, x + (cell_width - cell.picture.width()) / 2, y);
        let mut label = Picture::filled(cell_width, label_height, LABEL_BACKGROUND);
        let indent = cell_width.saturating_sub(text_width(&cell.label, scale)) / 2;
        draw_text(&mut label, &cell.label, indent, PADDING, scale, LABEL);
        sheet.paste(&label, x, y + picture_height);
    }
    sheet
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(count: usize) -> Vec<Cell> {
        let picture = Picture::filled(20, 10, [200, 0, 0, 255]);
        (0..count)
            .map(|index| Cell {
                label: index.to_string(),
                picture: picture.clone(),
            })
            .collect()
    }

    #[test]
    fn cells_fill_rows_from_the_left() {
        let sheet = contact_sheet(&cells(5), 3);
        let cell_height = 10 + 7 + 2 * PADDING;
        assert_eq!(sheet.width(), GAP + 3 * (20 + GAP));
        assert_eq!(sheet.height(), GAP + 2 * (cell_height + GAP));
        assert_eq!(
            sheet.pixel(GAP + 20 + GAP, GAP + cell_height + GAP),
            Some([200, 0, 0, 255])
        );
        assert_eq!(
            sheet.pixel(GAP + 2 * (20 + GAP), GAP + cell_height + GAP),
            Some(BACKGROUND)
        );
    }

    #[test]
    fn every_label_is_seen() {
        let sheet = contact_sheet(&cells(2), 2);
        for cell in 0..2 {
            let x = GAP + cell * (20 + GAP);
            let ink = (x..x + 20)
                .filter(|&x| (14..30).any(|y| sheet.pixel(x, y) == Some(LABEL)))
                .count();
            assert!(ink > 0, "cell {cell}");
        }
    }

    #[test]
    fn odd_requests_give_a_sheet() {
        assert_eq!(contact_sheet(&[], 0).width(), 2 * GAP);
        assert_eq!(contact_sheet(&cells(2), 0).width(), GAP + 20 + GAP);
        assert_eq!(contact_sheet(&cells(2), 99).width(), GAP + 2 * (20 + GAP));
    }
}
