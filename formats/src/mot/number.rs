/// A number as a curve's header stores it: what [`super::Float16`] and `f32` have in common.
pub trait StoredNumber: Copy {
    /// The number 0.
    const ZERO: Self;

    /// The nearest finite number that can be stored; `None` for NaN.
    fn nearest(value: f64) -> Option<Self>;

    /// The stored number, exactly.
    fn get(self) -> f64;

    /// The next larger finite number.
    fn above(self) -> Option<Self>;

    /// The next smaller finite number.
    fn below(self) -> Option<Self>;
}

impl StoredNumber for f32 {
    const ZERO: Self = 0.0;

    fn nearest(value: f64) -> Option<Self> {
        let nearest = (value as f32).clamp(f32::MIN, f32::MAX);
        (!nearest.is_nan()).then_some(nearest)
    }

    fn get(self) -> f64 {
        self.into()
    }

    fn above(self) -> Option<Self> {
        Some(self.next_up()).filter(|above| above.is_finite())
    }

    fn below(self) -> Option<Self> {
        Some(self.next_down()).filter(|below| below.is_finite())
    }
}
