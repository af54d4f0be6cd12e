//! Every claim that wgpu can say, on wgpu-core's own validation: the `noop` device has no GPU.

// A test that cannot go on stops here, and says so.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

use texelarium::claim::{Attempt, Claim, Outcome, Verdict};
use texelarium::gpu::Gpu;

/// Where wgpu-core 30 accepts what the specification rejects, as `claim/try`.
const KNOWN_TO_FAIL: &[&str] =
    &["one-writer/one-dispatch", "return-before-barrier/before", "workgroup-of-none/override"];

fn noop() -> Gpu {
    let (device, queue) = wgpu::Device::noop(&wgpu::DeviceDescriptor::default());
    Gpu::new(device, queue, Vec::new())
}

/// Of a claim that needs what the device lacks: nothing.
fn outcomes(claim: &Claim) -> Vec<Outcome> {
    let gpu = noop();
    if gpu.require(claim.features).is_err() {
        return Vec::new();
    }
    let tries = claim.tries.iter().filter(|it| matches!(it.attempt, Attempt::Calls(_) | Attempt::Shader(_)));
    tries.map(|it| pollster::block_on(it.run(&gpu, claim.id))).collect()
}

#[test]
fn outcomes_are_the_specifications() {
    let mut tried = 0;
    let mut wrong = Vec::new();
    for claim in texelarium::claims::all() {
        let outcomes = outcomes(claim);
        tried += outcomes.len();
        let expected = claim.tries.iter().filter(|it| matches!(it.attempt, Attempt::Calls(_) | Attempt::Shader(_)));
        for (attempt, outcome) in expected.zip(outcomes) {
            let name = format!("{}/{}", claim.id, attempt.name);
            if outcome.meets(attempt.expect) == KNOWN_TO_FAIL.contains(&name.as_str()) {
                wrong.push(format!("{name}: {:?}, got {outcome:?}", attempt.expect));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(tried > 20, "only {tried} attempts ran");
}

#[test]
fn engines_name_the_claim_in_their_messages() {
    let one_level = texelarium::claims::find("one-level").map(outcomes).unwrap_or_default();
    let Some(Outcome::Rejected(message)) = one_level.first() else { panic!("{one_level:?}") };
    assert!(message.contains("claim/one-level/"), "{message}");
}

#[test]
fn a_rejection_has_an_accepted_neighbour() {
    for claim in texelarium::claims::all() {
        let any = |is: fn(&Outcome) -> bool| {
            let outcomes = [Outcome::Accepted, Outcome::Rejected(String::new()), Outcome::Thrown(String::new())];
            claim.tries.iter().any(|it| outcomes.iter().any(|outcome| is(outcome) && outcome.meets(it.expect)))
        };
        let refuses = any(|outcome| matches!(outcome, Outcome::Rejected(_) | Outcome::Thrown(_)));
        assert!(!refuses || any(|outcome| *outcome == Outcome::Accepted), "{} accepts nothing", claim.id);
    }
}

#[test]
fn a_verdict_is_earned() {
    let Some(claim) = texelarium::claims::find("one-level") else { panic!("no claim") };
    let no = || Outcome::Rejected(String::new());
    assert_eq!(claim.verdict(&[no(), Outcome::Accepted, Outcome::Accepted]), Verdict::Holds);
    assert_eq!(claim.verdict(&[Outcome::Accepted, Outcome::Accepted, Outcome::Accepted]), Verdict::Fails);
    assert_eq!(claim.verdict(&[no(), Outcome::Accepted]), Verdict::Unavailable);
    assert_eq!(claim.verdict(&[no(), Outcome::Accepted, Outcome::Lost]), Verdict::Unavailable);
}
