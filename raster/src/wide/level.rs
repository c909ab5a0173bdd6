//! Which instructions the kernel uses.

use std::sync::OnceLock;

use fearless_simd::Level;

/// The instruction set that the processor's kernel uses. The pixels do not depend on it.
///
/// The variable `GE_HARNESS_SIMD` of the environment, one of `portable`, `sse4`, `avx2`, `avx512`, decides where
/// [`Automatic`](Self::Automatic) is asked for; any other value is as none. What the machine lacks is not used: the next
/// best is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SimdLevel {
    /// The best that the machine has.
    #[default]
    Automatic,
    /// No vector instructions: pixel by pixel, as the reference kernel. Slow.
    Portable,
    /// SSE4.2; on other processors than x86 what they have, such as NEON or simd128.
    Sse4,
    /// AVX2.
    Avx2,
    /// AVX-512 as Ice Lake has it.
    Avx512,
}

/// A kernel's instructions.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Instructions {
    /// None but those of every machine.
    Portable,
    /// Those of a level, which the machine has.
    Vector(Level),
}

impl SimdLevel {
    /// The instructions to use when this is asked for.
    pub(crate) fn resolve(self) -> Instructions {
        static FROM_ENVIRONMENT: OnceLock<SimdLevel> = OnceLock::new();
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
            Self::Portable => Instructions::Portable,
            Self::Sse4 | Self::Avx2 | Self::Avx512 => self.best(Level::new()),
        }
    }

    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    fn best(self, level: Level) -> Instructions {
        use fearless_simd::Simd;
        let Some(sse4) = level.as_sse4_2() else {
            return Instructions::Portable;
        };
        Instructions::Vector(match self {
            Self::Sse4 => sse4.level(),
            Self::Avx2 => level.as_avx2().map_or(sse4.level(), |avx2| avx2.level()),
            _ => level,
        })
    }

    #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
    fn best(self, level: Level) -> Instructions {
        Instructions::Vector(level)
    }
}

/// Runs an operation, generic over the instruction set, at one of the levels that kernels are compiled for: each costs as
/// much code again. `$otherwise` is what stands in for it on x86 processors that have none of them.
macro_rules! at_level {
    ($level:expr, $simd:ident => $operation:expr, $otherwise:expr) => {{
        let level: fearless_simd::Level = $level;
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        {
            if let Some($simd) = level.as_avx512() {
                $simd.vectorize(
                    #[inline(always)]
                    || $operation,
                )
            } else if let Some($simd) = level.as_avx2() {
                $simd.vectorize(
                    #[inline(always)]
                    || $operation,
                )
            } else if let Some($simd) = level.as_sse4_2() {
                $simd.vectorize(
                    #[inline(always)]
                    || $operation,
                )
            } else {
                $otherwise
            }
        }
        #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
        fearless_simd::dispatch!(level, $simd => $operation)
    }};
}
pub(super) use at_level;
