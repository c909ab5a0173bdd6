//! The adapters that the machine has.

use std::fmt;

use super::error::GpuError;

/// What an adapter is made of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum AdapterKind {
    /// A GPU with memory of its own.
    Discrete,
    /// A GPU that shares the processor's memory.
    Integrated,
    /// A GPU of a virtual machine.
    Virtual,
    /// Unknown to the driver.
    Other,
    /// The processor itself (lavapipe, SwiftShader, WARP).
    Software,
}

impl AdapterKind {
    /// Whether pixels are drawn by hardware.
    #[must_use]
    pub const fn is_hardware(self) -> bool {
        !matches!(self, Self::Software)
    }
}

impl fmt::Display for AdapterKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Self::Discrete => "discrete",
            Self::Integrated => "integrated",
            Self::Virtual => "virtual",
            Self::Other => "other",
            Self::Software => "software",
        })
    }
}

/// An adapter, in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AdapterDescription {
    /// Its name.
    pub name: String,
    /// What it is made of.
    pub kind: AdapterKind,
    /// The interface it is reached through.
    pub interface: String,
    /// The driver and its version.
    pub driver: String,
    /// Bytes of the largest buffer that a shader may use.
    pub largest_binding: u64,
}

impl AdapterDescription {
    fn of(adapter: &wgpu::Adapter) -> Self {
        let info = adapter.get_info();
        let driver = [info.driver.as_str(), info.driver_info.as_str()];
        Self {
            name: info.name.clone(),
            kind: match info.device_type {
                wgpu::DeviceType::DiscreteGpu => AdapterKind::Discrete,
                wgpu::DeviceType::IntegratedGpu => AdapterKind::Integrated,
                wgpu::DeviceType::VirtualGpu => AdapterKind::Virtual,
                wgpu::DeviceType::Cpu => AdapterKind::Software,
                wgpu::DeviceType::Other => AdapterKind::Other,
            },
            interface: format!("{:?}", info.backend),
            driver: driver
                .into_iter()
                .filter(|part| !part.is_empty())
                .collect::<Vec<_>>()
                .join(" "),
            largest_binding: adapter.limits().max_storage_buffer_binding_size,
        }
    }
}

/// Which adapter to take.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum AdapterChoice {
    /// The best: discrete before integrated, software last.
    #[default]
    Best,
    /// The best among those that are hardware.
    BestHardware,
    /// By the number that [`adapters`] gives it, or by a part of its name, in whatever case.
    Named(String),
}

/// The interfaces that shaders are exact on: OpenGL's is not (spec/gpu-notes.md §7.2).
const BACKENDS: wgpu::Backends = wgpu::Backends::PRIMARY;

fn instance() -> wgpu::Instance {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    descriptor.backends = BACKENDS;
    wgpu::Instance::new(descriptor)
}

/// All adapters, the best first.
fn enumerate() -> Vec<(wgpu::Adapter, AdapterDescription)> {
    let adapters = pollster::block_on(instance().enumerate_adapters(BACKENDS));
    let mut described: Vec<_> = adapters
        .into_iter()
        .map(|adapter| {
            let description = AdapterDescription::of(&adapter);
            (adapter, description)
        })
        .collect();
    described.sort_by_key(|(_, description)| description.kind);
    described
}

/// The adapters that can be reached, the best first. Empty where there is no driver.
#[must_use]
pub fn adapters() -> Vec<AdapterDescription> {
    enumerate()
        .into_iter()
        .map(|(_, description)| description)
        .collect()
}

/// Finds an adapter.
pub(super) fn find(choice: &AdapterChoice) -> Result<(wgpu::Adapter, AdapterDescription), GpuError> {
    let mut all = enumerate();
    if all.is_empty() {
        return Err(GpuError::NoAdapter);
    }
    let descriptions: Vec<_> = all.iter().map(|(_, description)| description).collect();
    let number = choose(choice, &descriptions)?;
    Ok(all.swap_remove(number))
}

fn choose(choice: &AdapterChoice, adapters: &[&AdapterDescription]) -> Result<usize, GpuError> {
    let names = || adapters.iter().map(|adapter| adapter.name.clone()).collect();
    let found = match choice {
        AdapterChoice::Best => Some(0),
        AdapterChoice::BestHardware => {
            return adapters
                .iter()
                .position(|adapter| adapter.kind.is_hardware())
                .ok_or_else(|| GpuError::NoHardware { names: names() });
        }
        AdapterChoice::Named(wanted) => wanted
            .parse()
            .ok()
            .filter(|&number: &usize| number < adapters.len())
            .or_else(|| {
                let wanted = wanted.to_lowercase();
                adapters
                    .iter()
                    .position(|adapter| adapter.name.to_lowercase().contains(&wanted))
            }),
    };
    found.ok_or_else(|| GpuError::UnknownAdapter {
        wanted: match choice {
            AdapterChoice::Named(wanted) => wanted.clone(),
            _ => String::new(),
        },
        names: names(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn adapter(name: &str, kind: AdapterKind) -> AdapterDescription {
        AdapterDescription {
            name: name.to_owned(),
            kind,
            interface: "Vulkan".to_owned(),
            driver: String::new(),
            largest_binding: 1 << 27,
        }
    }

    #[test]
    fn adapters_are_chosen_by_kind_number_and_name() {
        let fast = adapter("Fast Card 9", AdapterKind::Discrete);
        let slow = adapter("llvmpipe (LLVM 15)", AdapterKind::Software);
        let both = [&fast, &slow];
        let named = |name: &str| AdapterChoice::Named(name.to_owned());
        assert_eq!(choose(&AdapterChoice::Best, &both), Ok(0));
        assert_eq!(choose(&AdapterChoice::BestHardware, &both), Ok(0));
        assert_eq!(
            choose(&AdapterChoice::BestHardware, &[&slow]).map_err(|error| error.to_string()),
            Err("no hardware GPU found, only llvmpipe (LLVM 15)".to_owned())
        );
        assert_eq!(choose(&named("1"), &both), Ok(1));
        assert_eq!(choose(&named("LLVM"), &both), Ok(1));
        let error = choose(&named("voodoo"), &both).expect_err("no such card");
        assert_eq!(
            error.to_string(),
            "no GPU adapter is called `voodoo`; there are: Fast Card 9, llvmpipe (LLVM 15)"
        );
    }
}
