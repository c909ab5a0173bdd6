//! TMH texture banks.
