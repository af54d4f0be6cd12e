//! GPU time of passes by timestamp queries.
//!
//! Browsers round timestamps (to 100 µs in most, 65.536 µs seen on an H200), so one reading says little and the mean
//! of many says much: that is what is kept.

use std::sync::{Arc, Mutex};

use super::Gpu;

/// Passes of one picture that can be timed.
const MAX_PASSES: u32 = 16;
const BYTES: u64 = MAX_PASSES as u64 * 16;

/// Times the passes of one figure, a picture at a time: while a reading is under way, pictures go untimed.
#[derive(Debug)]
pub struct Timer {
    set: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    read: wgpu::Buffer,
    /// Labels of the passes of the picture being recorded.
    passes: Vec<&'static str>,
    state: Arc<Mutex<State>>,
    reading: bool,
}

#[derive(Debug, Default)]
struct State {
    arrived: bool,
    sums: Vec<(&'static str, f64, u32)>,
}

impl Timer {
    /// `None` where the device has no `timestamp-query`.
    pub fn new(gpu: &Gpu, label: &str) -> Option<Self> {
        if !gpu.has("timestamp-query") {
            return None;
        }
        let buffer = |usage| {
            gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(&format!("{label}/timestamps")),
                size: BYTES,
                usage,
                mapped_at_creation: false,
            })
        };
        Some(Self {
            set: gpu.device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some(&format!("{label}/timestamps")),
                ty: wgpu::QueryType::Timestamp,
                count: MAX_PASSES * 2,
            }),
            resolved: buffer(wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC),
            read: buffer(wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ),
            passes: Vec::new(),
            state: Arc::default(),
            reading: false,
        })
    }

    /// The query set and the first of two indices for the next pass; `None` while a reading is under way.
    pub fn next(&mut self, label: &'static str) -> Option<(wgpu::QuerySet, u32)> {
        let begin = self.passes.len() as u32;
        if self.reading || begin == MAX_PASSES {
            return None;
        }
        self.passes.push(label);
        Some((self.set.clone(), begin * 2))
    }

    /// Records the read-back of this picture's times; [`Timer::read`] follows the submit.
    pub fn resolve(&self, encoder: &mut wgpu::CommandEncoder) {
        let count = self.passes.len() as u32 * 2;
        if count > 0 && !self.reading {
            encoder.resolve_query_set(&self.set, 0..count, &self.resolved, 0);
            encoder.copy_buffer_to_buffer(&self.resolved, 0, &self.read, 0, BYTES);
        }
    }

    /// Asks for the times of the submitted picture, and takes in those asked for before.
    pub fn read(&mut self, period: f32) {
        if self.reading {
            let mut state = lock(&self.state);
            if std::mem::take(&mut state.arrived) {
                self.reading = false;
                if let Ok(bytes) = self.read.get_mapped_range(..) {
                    for (pass, times) in self.passes.drain(..).zip(bytes.chunks_exact(16)) {
                        let at = |half: &[u8]| u64::from_le_bytes(half.try_into().unwrap_or_default());
                        let (begin, end) = (at(&times[..8]), at(&times[8..]));
                        let ms = end.saturating_sub(begin) as f64 * f64::from(period) / 1e6;
                        match state.sums.iter_mut().find(|(label, ..)| *label == pass) {
                            Some((_, sum, count)) => {
                                *sum += ms;
                                *count += 1;
                            }
                            None => state.sums.push((pass, ms, 1)),
                        }
                    }
                }
                self.passes.clear();
                self.read.unmap();
            }
        } else if !self.passes.is_empty() {
            self.reading = true;
            let state = self.state.clone();
            self.read.map_async(wgpu::MapMode::Read, .., move |result| {
                if result.is_ok() {
                    lock(&state).arrived = true;
                }
            });
        }
    }

    /// Mean milliseconds of each pass so far, and of how many readings; starts over.
    pub fn take(&mut self) -> Vec<(&'static str, f64, u32)> {
        let sums = std::mem::take(&mut lock(&self.state).sums);
        sums.into_iter().map(|(label, sum, count)| (label, sum / f64::from(count), count)).collect()
    }
}

fn lock(state: &Mutex<State>) -> std::sync::MutexGuard<'_, State> {
    state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
