//! A device with the names of what it has, and the helpers that every figure and claim shares.

pub mod measure;
#[cfg(target_arch = "wasm32")]
pub mod raw;
#[cfg(not(target_arch = "wasm32"))]
#[path = "gpu/raw_native.rs"]
pub mod raw;
pub mod readback;
pub mod texel;
pub mod timer;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The features the site asks an adapter for, by their names in the specification (WebGPU, *Feature Index*).
/// Names, not `wgpu::Features`: wgpu has no flag for the tiers.
pub const FEATURES: &[&str] = &[
    "bgra8unorm-storage",
    "depth32float-stencil8",
    "float32-blendable",
    "float32-filterable",
    "rg11b10ufloat-renderable",
    "texture-formats-tier1",
    "texture-formats-tier2",
    "timestamp-query",
];

/// Stands among the features of a claim that needs a device of the compatibility feature level (WebGPU, *Feature
/// Levels*): how a page asks for one.
pub const COMPATIBILITY: &str = "featureLevel: \"compatibility\"";

/// Texels across the widest canvas any core device must allow (WebGPU, *Limits*: `maxTextureDimension2D`).
pub const MIN_MAX_TEXTURE_DIMENSION_2D: u32 = 8192;

/// One open device, its queue, and the names of the features it was opened with.
#[derive(Debug, Clone)]
pub struct Gpu {
    /// The device that makes everything.
    pub device: wgpu::Device,
    /// The device's only queue.
    pub queue: wgpu::Queue,
    /// The subset of [`FEATURES`] that this device has.
    pub features: Vec<&'static str>,
    lost: Arc<AtomicBool>,
}

/// What a figure or a claim needs and this device lacks: a feature's name in the specification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Missing(pub &'static str);

impl Gpu {
    /// Takes over an open device that has `features`.
    pub fn new(device: wgpu::Device, queue: wgpu::Queue, features: Vec<&'static str>) -> Self {
        let lost = Arc::<AtomicBool>::default();
        device.set_device_lost_callback({
            let lost = lost.clone();
            move |_, _| lost.store(true, Ordering::Relaxed)
        });
        Self { device, queue, features, lost }
    }

    /// Whether the device is lost: then nothing that came of it says anything.
    pub fn is_lost(&self) -> bool {
        self.lost.load(Ordering::Relaxed)
    }

    /// Whether the device was opened with the feature of that name.
    pub fn has(&self, feature: &str) -> bool {
        self.features.contains(&feature)
    }

    /// # Errors
    /// The first of `features` that the device lacks.
    pub fn require(&self, features: &[&'static str]) -> Result<(), Missing> {
        match features.iter().find(|feature| !self.has(feature)) {
            Some(feature) => Err(Missing(feature)),
            None => Ok(()),
        }
    }

    /// A texture that a reader may inspect: what `descriptor` says, plus `COPY_SRC`.
    pub fn create_texture(&self, descriptor: &wgpu::TextureDescriptor) -> Texture {
        Texture(self.device.create_texture(&wgpu::TextureDescriptor {
            usage: descriptor.usage | wgpu::TextureUsages::COPY_SRC,
            ..descriptor.clone()
        }))
    }

    /// A 2d texture that shaders store into, sample and load from, and that a reader may inspect.
    pub fn create_storage_texture(
        &self,
        label: &str,
        format: wgpu::TextureFormat,
        size: wgpu::Extent3d,
        levels: u32,
    ) -> Texture {
        self.create_texture(&wgpu::TextureDescriptor {
            label: Some(label),
            size,
            mip_level_count: levels,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: wgpu::TextureUsages::STORAGE_BINDING | wgpu::TextureUsages::TEXTURE_BINDING,
            view_formats: &[],
        })
    }

    /// A 2d texture of one level for those uses, and that a reader may inspect.
    pub fn create_flat_texture(
        &self,
        label: &str,
        format: wgpu::TextureFormat,
        size: wgpu::Extent3d,
        usage: wgpu::TextureUsages,
    ) -> Texture {
        self.create_texture(&wgpu::TextureDescriptor {
            label: Some(label),
            size,
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage,
            view_formats: &[],
        })
    }

    /// A bind group of `resources`, numbered from 0.
    pub fn create_bind_group(
        &self,
        label: &str,
        fits: &dyn Layout,
        resources: &[wgpu::BindingResource],
    ) -> wgpu::BindGroup {
        let entries: Vec<_> = (0..)
            .zip(resources)
            .map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource: resource.clone() })
            .collect();
        let layout = &fits.layout();
        self.device.create_bind_group(&wgpu::BindGroupDescriptor { label: Some(label), layout, entries: &entries })
    }

    /// A shader module.
    pub fn create_shader(&self, label: &str, wgsl: &str) -> wgpu::ShaderModule {
        self.device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some(label),
            source: wgpu::ShaderSource::Wgsl(wgsl.into()),
        })
    }

    /// A compute pipeline with the layout that the entry point implies.
    pub fn create_compute_pipeline(
        &self,
        label: &str,
        shader: &wgpu::ShaderModule,
        entry_point: &str,
    ) -> wgpu::ComputePipeline {
        self.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(label),
            layout: None,
            module: shader,
            entry_point: Some(entry_point),
            compilation_options: Default::default(),
            cache: None,
        })
    }

    /// A pipeline that draws triangles without vertex buffers, with the layout that the entry points imply.
    pub fn create_render_pipeline(
        &self,
        label: &str,
        shader: &wgpu::ShaderModule,
        vertex: &str,
        fragment: &str,
        format: wgpu::TextureFormat,
    ) -> wgpu::RenderPipeline {
        self.create_render_pipeline_with(label, shader, [vertex, fragment], format.into(), None, None)
    }

    /// The same for a target that may be blended into, with a depth test and with a stated layout, if there is one.
    pub fn create_render_pipeline_with(
        &self,
        label: &str,
        shader: &wgpu::ShaderModule,
        [vertex, fragment]: [&str; 2],
        target: wgpu::ColorTargetState,
        depth_stencil: Option<wgpu::DepthStencilState>,
        layout: Option<&wgpu::PipelineLayout>,
    ) -> wgpu::RenderPipeline {
        self.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(label),
            layout,
            vertex: wgpu::VertexState {
                module: shader,
                entry_point: Some(vertex),
                compilation_options: Default::default(),
                buffers: &[],
            },
            primitive: Default::default(),
            depth_stencil,
            multisample: Default::default(),
            fragment: Some(wgpu::FragmentState {
                module: shader,
                entry_point: Some(fragment),
                compilation_options: Default::default(),
                targets: &[Some(target)],
            }),
            multiview_mask: None,
            cache: None,
        })
    }

    /// A sampler that magnifies and minifies by `filter` and clamps to the edge.
    pub fn create_sampler(&self, label: &str, filter: wgpu::FilterMode) -> wgpu::Sampler {
        self.device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some(label),
            mag_filter: filter,
            min_filter: filter,
            ..Default::default()
        })
    }

    /// A uniform buffer of `size` bytes, a multiple of 16.
    pub fn create_uniforms(&self, label: &str, size: u64) -> wgpu::Buffer {
        self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(label),
            size,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        })
    }
}

/// A texture whose memory goes when it is dropped, not when the browser collects its garbage.
#[derive(Debug)]
pub struct Texture(wgpu::Texture);

impl std::ops::Deref for Texture {
    type Target = wgpu::Texture;

    fn deref(&self) -> &wgpu::Texture {
        &self.0
    }
}

impl Drop for Texture {
    fn drop(&mut self) {
        self.0.destroy();
    }
}

/// What a bind group is made to fit: a layout, or the first of a pipeline's.
pub trait Layout {
    /// The layout.
    fn layout(&self) -> wgpu::BindGroupLayout;
}

impl Layout for wgpu::BindGroupLayout {
    fn layout(&self) -> Self {
        self.clone()
    }
}

impl Layout for wgpu::ComputePipeline {
    fn layout(&self) -> wgpu::BindGroupLayout {
        self.get_bind_group_layout(0)
    }
}

impl Layout for wgpu::RenderPipeline {
    fn layout(&self) -> wgpu::BindGroupLayout {
        self.get_bind_group_layout(0)
    }
}

/// A view of all of a texture.
pub fn view(label: &str, texture: &wgpu::Texture) -> wgpu::TextureView {
    texture.create_view(&wgpu::TextureViewDescriptor { label: Some(label), ..Default::default() })
}

/// Little-endian bytes of `values`, as WGSL lays out consecutive `f32` members (WGSL, *Internal Layout of Values*).
pub fn bytes_of<const N: usize>(values: [f32; N]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// Two-dimensional size, one layer.
pub const fn extent(width: u32, height: u32) -> wgpu::Extent3d {
    wgpu::Extent3d { width, height, depth_or_array_layers: 1 }
}
