//! Which instructions the kernel uses.

use std::sync::OnceLock;

use fearless_simd::{Level, Simd};

/// Runs a function, generic over the instruction set, at one of the levels that kernels are compiled for. Those between
/// them take the one below: each costs as much code again.
macro_rules! at_level {
    ($level:expr, $simd:ident => $operation:expr) => {{
        let level: fearless_simd::Level = $level;
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        {
            if let Some($simd) = level.as_avx512() {
                $simd.vectorize(#[inline(always)] || $operation)
            } else if let Some($simd) = level.as_avx2() {
                $simd.vectorize(#[inline(always)] || $operation)
            } else if let Some($simd) = level.as_sse4_2() {
                $simd.vectorize(#[inline(always)] || $operation)
            } else {
                let $simd = fearless_simd::Fallback::new();
                $simd.vectorize(#[inline(always)] || $operation)
            }
        }
        #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
        fearless_simd::dispatch!(level, $simd => $operation)
    }};
}
pub(super) use at_level;

/// The instruction set that the processor's kernel uses. The pixels do not depend on it.
///
/// The variable `GE_HARNESS_SIMD` of the environment, one of `portable`, `sse4`, `avx2`, `avx512`, decides where
/// [`Automatic`](Self::Automatic) is asked for. What the machine lacks is not used: the next best is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SimdLevel {
    /// The best that the machine has.
    #[default]
    Automatic,
    /// No vector instructions of its own: what the compiler makes of plain loops.
    Portable,
    /// SSE4.2, or on other processors than x86 what they all have: NEON, simd128.
    Sse4,
    /// AVX2, with fused multiplication.
    Avx2,
    /// AVX-512 as Ice Lake has it.
    Avx512,
}

impl SimdLevel {
    /// The level that is used when this one is asked for.
    pub(crate) fn resolve(self) -> Level {
        static FROM_ENVIRONMENT: OnceLock<SimdLevel> = OnceLock::new();
        let best = Level::new();
        match self {
            Self::Automatic => {
                let asked = FROM_ENVIRONMENT.get_or_init(|| {
                    let value = std::env::var("GE_HARNESS_SIMD").unwrap_or_default();
                    match value.as_str() {
                        "portable" => Self::Portable,
                        "sse4" => Self::Sse4,
                        "avx2" => Self::Avx2,
                        _ => Self::Avx512,
                    }
                });
                asked.resolve()
            }
            Self::Portable => Level::fallback(),
            Self::Avx512 => best,
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Self::Sse4 => best.as_sse4_2().map_or(best, |token| token.level()),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Self::Avx2 => best.as_avx2().map_or(best, |token| token.level()),
            #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
            Self::Sse4 | Self::Avx2 => best,
        }
    }
}
