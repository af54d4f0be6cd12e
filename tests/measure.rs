//! Ways timed against each other on a software Vulkan, by both clocks.

// A test that cannot go on stops here, and says so.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

use texelarium::gpu::{Gpu, measure};

/// A device on a software Vulkan, with or without timestamps.
fn gpu(has_timestamps: bool) -> Gpu {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    descriptor.backends = wgpu::Backends::VULKAN;
    let instance = wgpu::Instance::new(descriptor);
    let adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::VULKAN));
    let adapter = adapters.into_iter().find(|adapter| adapter.get_info().device_type == wgpu::DeviceType::Cpu);
    let adapter = adapter.expect("no software Vulkan: install mesa-vulkan-drivers (or its like)");
    let timestamps = if has_timestamps { wgpu::Features::TIMESTAMP_QUERY } else { wgpu::Features::empty() };
    let (device, queue) = pollster::block_on(
        adapter.request_device(&wgpu::DeviceDescriptor { required_features: timestamps, ..Default::default() }),
    )
    .unwrap();
    Gpu::new(device, queue, if has_timestamps { vec!["timestamp-query"] } else { Vec::new() })
}

#[test]
fn every_way_takes_time_and_groups_of_one_take_more() {
    for has_timestamps in [true, false] {
        let gpu = gpu(has_timestamps);
        for entry in texelarium::figures::ALL {
            let Some(measure) = &entry.measure else { continue };
            let wgsl = texelarium::figure::wgsl(entry.id).unwrap();
            let measured = pollster::block_on(measure::run(&gpu, measure, &wgsl)).expect("no device was lost");
            println!("{}: {measured:?}", entry.id);
            assert_eq!(measured.by_timestamps, has_timestamps);
            assert!(measure.sizes.contains(&measured.size) && measured.step > 0);
            let times = measured.times.unwrap_or_else(|| panic!("{}: too coarse or too unsteady", entry.id));
            assert!(times.iter().all(|time| time.ns > 0.0 && time.rate > 0.0), "{times:?}");
            if entry.id == "workgroups" {
                let ns = |id| times.iter().find(|time| time.id == id).unwrap().ns;
                assert!(ns("1x1") > 2.0 * ns("8x8"), "{times:?}");
            }
        }
    }
}

#[test]
fn a_lost_device_has_no_times() {
    let gpu = gpu(false);
    gpu.device.destroy();
    let _ = gpu.device.poll(wgpu::PollType::wait_indefinitely());
    assert!(gpu.is_lost());
    for entry in texelarium::figures::ALL {
        let Some(measure) = &entry.measure else { continue };
        let wgsl = texelarium::figure::wgsl(entry.id).unwrap();
        assert!(pollster::block_on(measure::run(&gpu, measure, &wgsl)).is_none());
    }
}
