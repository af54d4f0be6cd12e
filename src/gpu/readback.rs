//! Bytes back from the GPU.

use std::sync::{Arc, Mutex};

use super::{Gpu, texel};

/// A copy of a block of texels, under way to the CPU.
#[derive(Debug)]
pub struct Readback {
    buffer: wgpu::Buffer,
    width: u32,
    height: u32,
    bytes_per_texel: u32,
}

/// Bytes that a buffer row takes in a copy: a multiple of 256 (WebGPU, *validating linear texture data*).
const fn row_bytes(width: u32, bytes_per_texel: u32) -> u32 {
    (width * bytes_per_texel).div_ceil(256) * 256
}

impl Readback {
    /// Records the copy of `size` texels at `origin`, which is x, y and layer, of a level of `texture`, which has
    /// `COPY_SRC` and an uncompressed colour format.
    pub fn record(
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        texture: &wgpu::Texture,
        level: u32,
        origin: [u32; 3],
        size: [u32; 2],
    ) -> Self {
        let bytes_per_texel = texel::bytes(texture.format());
        let [width, height] = size;
        let bytes_per_row = row_bytes(width, bytes_per_texel);
        let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("readback/buffer"),
            size: u64::from(bytes_per_row * height),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        encoder.copy_texture_to_buffer(
            wgpu::TexelCopyTextureInfo {
                mip_level: level,
                origin: wgpu::Origin3d { x: origin[0], y: origin[1], z: origin[2] },
                ..texture.as_image_copy()
            },
            wgpu::TexelCopyBufferInfo {
                buffer: &buffer,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(bytes_per_row),
                    rows_per_image: Some(height),
                },
            },
            super::extent(width, height),
        );
        Self { buffer, width, height, bytes_per_texel }
    }

    /// The texels' bytes, row by row without padding; `None` if the device was lost. Call it after the submit.
    pub async fn bytes(self, gpu: &Gpu) -> Option<Vec<u8>> {
        let padded = read_buffer(gpu, &self.buffer).await?;
        let row = (self.width * self.bytes_per_texel) as usize;
        let padded_row = row_bytes(self.width, self.bytes_per_texel) as usize;
        let rows = padded.chunks_exact(padded_row).take(self.height as usize);
        Some(rows.flat_map(|bytes| &bytes[..row]).copied().collect())
    }
}

/// The bytes of a mappable buffer, once what was submitted before is done; `None` if the device was lost. The buffer
/// is destroyed.
pub async fn read_buffer(gpu: &Gpu, buffer: &wgpu::Buffer) -> Option<Vec<u8>> {
    let done = Signal::default();
    buffer.map_async(wgpu::MapMode::Read, .., {
        let done = done.clone();
        move |result| done.set(result.is_ok())
    });
    // Natively nothing happens unless the device is polled; in a browser this does nothing.
    let _ = gpu.device.poll(wgpu::PollType::wait_indefinitely());
    if !done.await {
        return None;
    }
    let bytes = buffer.get_mapped_range(..).ok()?.to_vec();
    buffer.destroy();
    Some(bytes)
}

/// A future that a callback completes.
#[derive(Debug, Clone, Default)]
struct Signal(Arc<Mutex<(Option<bool>, Option<std::task::Waker>)>>);

impl Signal {
    fn set(&self, value: bool) {
        let mut state = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        state.0 = Some(value);
        if let Some(waker) = state.1.take() {
            waker.wake();
        }
    }
}

impl Future for Signal {
    type Output = bool;
    fn poll(self: std::pin::Pin<&mut Self>, context: &mut std::task::Context) -> std::task::Poll<bool> {
        let mut state = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        match state.0 {
            Some(value) => std::task::Poll::Ready(value),
            None => {
                state.1 = Some(context.waker().clone());
                std::task::Poll::Pending
            }
        }
    }
}
