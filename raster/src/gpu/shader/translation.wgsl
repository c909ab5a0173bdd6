// The permutation of VRAM's third copy for a width that is not 0 (vram/translation.rs, spec/ge-raster.md §13).

fn linear_to_primary(offset: u32, width: u32) -> u32 {
    let field_width = countTrailingZeros(width) - 5u;
    let field_mask = (1u << field_width) - 1u;
    let bits = (offset >> 5u) & field_mask;
    let turned = ((bits << 1u) | (bits >> (field_width - 1u))) & field_mask;
    return ((offset & ~(field_mask << 5u)) | ((turned ^ 2u) << 5u)) ^ (8u * width);
}
