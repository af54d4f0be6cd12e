//! Times several ways to do the same work against each other.
//!
//! By timestamp queries where the device has them, else from the submit until the work is done. Clocks in browsers are
//! coarse, so within one sample a way runs again and again until the sample is long against the clock's step.

use super::readback::{read_buffer, work_done};
use super::{Gpu, Texture, raw};

/// What a figure has to be timed.
#[derive(Debug, Clone, Copy)]
pub struct Measure {
    /// Sides of the textures to work on, from small to large: the largest that the device gets through in time is
    /// taken.
    pub sizes: &'static [u32],
    /// Makes the ways for one of them, from the WGSL of the page.
    pub ways: fn(&Gpu, &str, u32) -> Ways,
}

/// Ways to do the same work.
#[derive(Debug)]
pub struct Ways {
    /// In the order of the table.
    pub ways: Vec<Way>,
    /// What they work on.
    pub textures: Vec<Texture>,
}

/// One of them.
pub struct Way {
    /// Its key in the words.
    pub id: &'static str,
    /// Bytes that one run writes.
    pub bytes: u64,
    /// Records [`Sample::runs`] runs in one pass.
    pub record: Box<dyn Fn(&mut Sample)>,
}

impl std::fmt::Debug for Way {
    fn fmt(&self, out: &mut std::fmt::Formatter) -> std::fmt::Result {
        out.write_str(self.id)
    }
}

/// One timed submit.
#[derive(Debug)]
pub struct Sample {
    /// How often the way is to run.
    pub runs: u32,
    encoder: wgpu::CommandEncoder,
    set: Option<wgpu::QuerySet>,
}

impl Sample {
    /// Opens the timed compute pass.
    pub fn compute(&mut self, label: &str) -> wgpu::ComputePass<'_> {
        self.encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some(label),
            timestamp_writes: self.set.as_ref().map(|set| wgpu::ComputePassTimestampWrites {
                query_set: set,
                beginning_of_pass_write_index: Some(0),
                end_of_pass_write_index: Some(1),
            }),
        })
    }
}

/// What came of it.
#[derive(Debug)]
pub struct Measured {
    /// Whether timestamp queries told the times, or the time until the work was done.
    pub by_timestamps: bool,
    /// Nanoseconds that could be told apart; 0 if the clock never moved.
    pub step: u64,
    /// Side of the texture.
    pub size: u32,
    /// Times that each way was sampled.
    pub rounds: u32,
    /// Nanoseconds of one run of each way, by the lower quartile of its samples: nearly all that disturbs them adds.
    /// `None` where the clock was too coarse or the times too unsteady to say.
    pub times: Option<Vec<Time>>,
}

/// How long one run took.
#[derive(Debug, Clone, Copy)]
pub struct Time {
    /// [`Way::id`].
    pub id: &'static str,
    /// Nanoseconds.
    pub ns: f64,
    /// Bytes written a nanosecond, which are GB/s.
    pub rate: f64,
}

/// A sample is to be so many times the clock's step, and says nothing below so many.
const WANTED_STEPS: u64 = 25;
const LEAST_STEPS: u64 = 5;
/// Nanoseconds of a sample: at least, for a device that works in bursts; and at most, if one run is not longer.
const LEAST_SAMPLE: u64 = 5_000_000;
const MOST_SAMPLE: u64 = 50_000_000;
const MOST_RUNS: u32 = 512;
/// Nanoseconds that one run of each way may take together.
const MOST_ROUND: u64 = 300_000_000;
/// Samples of a way: more than at least only while they are unsteady.
const LEAST_ROUNDS: u32 = 5;
const MOST_ROUNDS: u32 = 15;

/// Times each way, made from the WGSL of the page; `None` if the device was lost. Nothing else should be submitted meanwhile.
pub async fn run(gpu: &Gpu, measure: &Measure, wgsl: &str) -> Option<Measured> {
    work_done(gpu).await?;
    let mut clock = Clock::new(gpu).await?;
    let mut sizes = measure.sizes.iter().copied();
    let mut size = sizes.next()?;
    let mut ways = (measure.ways)(gpu, wgsl, size);
    loop {
        // The first run may compile the pipeline.
        for way in &ways.ways {
            clock.time(gpu, way, 1).await?;
        }
        // By the page's clock, for timestamps may be stuck.
        let begin = now();
        for way in &ways.ways {
            clock.time(gpu, way, 1).await?;
        }
        // Twice the side is four times the work.
        match sizes.next() {
            Some(next) if (now() - begin) * 4 <= MOST_ROUND => size = next,
            _ => break,
        }
        ways = (measure.ways)(gpu, wgsl, size);
    }
    let mut all = Vec::new();
    for way in &ways.ways {
        all.push((way, clock.runs(gpu, way).await?, Vec::new()));
    }
    // In turn, so that what slows the device down for a while slows all of them.
    let mut rounds = 0;
    while rounds < LEAST_ROUNDS || (rounds < MOST_ROUNDS && all.iter().any(|(.., samples)| is_unsteady(samples))) {
        for (way, runs, samples) in &mut all {
            samples.push(clock.time(gpu, way, *runs).await?);
        }
        rounds += 1;
    }
    let least = clock.step() * LEAST_STEPS;
    let says_nothing = |samples: &[u64]| quartile(samples) <= least || is_unsteady(samples);
    let times = all.iter().map(|(way, runs, samples)| {
        let ns = quartile(samples) as f64 / f64::from(*runs);
        Time { id: way.id, ns, rate: way.bytes as f64 / ns }
    });
    Some(Measured {
        by_timestamps: clock.stamps.is_some(),
        step: clock.step(),
        size,
        rounds,
        times: (!all.iter().any(|(.., samples)| says_nothing(samples))).then(|| times.collect()),
    })
}

/// Tells how long a submit takes, and learns how finely it can tell.
struct Clock {
    /// The queries and the buffer that they are resolved into.
    stamps: Option<(wgpu::QuerySet, wgpu::Buffer)>,
    /// The first time it told, and the greatest common divisor of all differences from it, in nanoseconds.
    first: Option<u64>,
    step: u64,
    /// Nanoseconds until a submit without work is done, where there are no timestamps: they are taken off.
    latency: u64,
}

impl Clock {
    async fn new(gpu: &Gpu) -> Option<Self> {
        let stamps = gpu.has("timestamp-query").then(|| {
            let set = gpu.device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("measure/timestamps"),
                ty: wgpu::QueryType::Timestamp,
                count: 2,
            });
            (set, buffer(gpu, wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC))
        });
        let mut clock = Self { stamps, first: None, step: 0, latency: 0 };
        if clock.stamps.is_none() {
            let nothing = Way { id: "", bytes: 0, record: Box::new(|_| ()) };
            let mut latency = u64::MAX;
            for _ in 0..5 {
                latency = latency.min(clock.time(gpu, &nothing, 0).await?);
            }
            clock.latency = latency;
        }
        Some(clock)
    }

    /// Nanoseconds that a sample must be long against: what was taken off it may be wrong by a part.
    fn step(&self) -> u64 {
        self.step.max(self.latency / LEAST_STEPS)
    }

    /// Runs that make a sample long enough, if so many can be afforded.
    async fn runs(&mut self, gpu: &Gpu, way: &Way) -> Option<u32> {
        let mut runs = 1;
        loop {
            let begin = now();
            let time = self.time(gpu, way, runs).await?;
            let is_enough = self.step > 0 && time >= LEAST_SAMPLE.max(self.step() * WANTED_STEPS);
            if is_enough || time.max(now() - begin) * 2 > MOST_SAMPLE || runs == MOST_RUNS {
                return Some(runs);
            }
            runs *= 2;
        }
    }

    /// Nanoseconds of one sample; `None` if the device was lost.
    async fn time(&mut self, gpu: &Gpu, way: &Way, runs: u32) -> Option<u64> {
        let encoder =
            gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("measure/sample") });
        let set = self.stamps.as_ref().map(|(set, _)| set.clone());
        let mut sample = Sample { runs, encoder, set };
        (way.record)(&mut sample);
        let mut encoder = sample.encoder;
        let (begin, end) = if let Some((set, resolved)) = &self.stamps {
            let read = buffer(gpu, wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ);
            encoder.resolve_query_set(set, 0..2, resolved, 0);
            encoder.copy_buffer_to_buffer(resolved, 0, &read, 0, 16);
            gpu.queue.submit([encoder.finish()]);
            let bytes = read_buffer(gpu, &read).await?;
            let ns = |ticks: &[u8]| {
                let ticks = u64::from_le_bytes(ticks.try_into().unwrap_or_default());
                (ticks as f64 * f64::from(gpu.queue.get_timestamp_period())) as u64
            };
            (ns(bytes.get(..8)?), ns(bytes.get(8..)?))
        } else {
            let begin = now();
            gpu.queue.submit([encoder.finish()]);
            work_done(gpu).await?;
            (begin, now())
        };
        let first = *self.first.get_or_insert(begin);
        for time in [begin, end] {
            self.step = greatest_common_divisor(self.step, time.abs_diff(first));
        }
        Some(end.saturating_sub(begin).saturating_sub(self.latency))
    }
}

/// Nanoseconds of the page's clock, by whole microseconds.
fn now() -> u64 {
    (raw::now() * 1000.0).round() as u64 * 1000
}

/// Room for two timestamps.
fn buffer(gpu: &Gpu, usage: wgpu::BufferUsages) -> wgpu::Buffer {
    gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("measure/timestamps"),
        size: 16,
        usage,
        mapped_at_creation: false,
    })
}

const fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The sample that `rank` others precede. A handful of samples needs no `sort`, which would cost the wasm 3 kB.
fn ranked(samples: &[u64], rank: usize) -> u64 {
    let precede = |at: usize| {
        let before = |(i, sample): (usize, &u64)| (*sample, i) < (samples[at], at);
        samples.iter().enumerate().filter(|it| before(*it)).count()
    };
    (0..samples.len()).find(|at| precede(*at) == rank).map_or(0, |at| samples[at])
}

/// The lower quartile.
fn quartile(samples: &[u64]) -> u64 {
    ranked(samples, samples.len() / 4)
}

/// Whether the middle sample took more than twice as long as the lower quartile. What is below the quartile counts for
/// nothing: a software GPU whose threads come free at the right moment is now and then through in a third of the time.
fn is_unsteady(samples: &[u64]) -> bool {
    ranked(samples, samples.len() / 2) > 2 * quartile(samples)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lower_quartile_has_a_quarter_below_it() {
        assert_eq!(quartile(&[5, 1, 9, 7, 3]), 3);
        assert_eq!([0, 1, 2].map(|rank| ranked(&[4, 4, 1], rank)), [1, 4, 4]);
    }

    #[test]
    fn what_disagrees_at_its_middle_is_unsteady() {
        assert!(!is_unsteady(&[100, 190, 300, 800, 900]));
        assert!(!is_unsteady(&[40, 100, 100, 100, 110]));
        assert!(is_unsteady(&[100, 100, 210, 210, 210]));
    }

    #[test]
    fn the_step_of_rounded_timestamps_is_found() {
        let step = [3, 7, 12].into_iter().fold(0, |step, times| greatest_common_divisor(step, times * 65_536));
        assert_eq!(step, 65_536);
    }
}
