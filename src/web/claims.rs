//! Tries the claims of the page, one after the other, and shows what came of each.

use web_sys::Element;

use super::dom::{Dom, attribute, mark, show, slot, text};
use super::tally;
use super::words::Words;
use crate::claim::{Claim, Outcome};
use crate::gpu::{Missing, raw};

/// Tries every claim on the page, on a fresh device a feature set.
pub(super) async fn run_all(dom: &Dom, words: &Words, instance: &wgpu::Instance, adapter: &raw::Object) {
    let mut claims: Vec<(&Claim, Element)> = dom
        .all("[data-claim]")
        .into_iter()
        .filter_map(|section| {
            let claim = crate::claims::find(&section.get_attribute("data-claim")?)?;
            choose_record(&section, adapter);
            Some((claim, section))
        })
        .collect();
    let mut verdicts = Vec::new();
    while let Some((first, _)) = claims.first() {
        let features = first.features;
        let (group, rest) = claims.into_iter().partition::<Vec<_>, _>(|(claim, _)| claim.features == features);
        claims = rest;
        let mut opened = None;
        let mut refusal = String::new();
        for (claim, section) in group {
            let mut outcomes = Vec::new();
            // A device that is lost in the middle says nothing of the claim: it is tried once more, on a new one.
            for _ in 0..2 {
                if opened.as_ref().is_none_or(|opened: &raw::Opened| opened.gpu.is_lost()) {
                    opened = match raw::open(instance, "claims", features).await {
                        Ok(opened) => Some(opened),
                        Err(reason) => {
                            reason.message().clone_into(&mut refusal);
                            None
                        }
                    };
                }
                let Some(opened) = opened.as_ref().filter(|opened| opened.gpu.require(features).is_ok()) else { break };
                outcomes.clear();
                for attempt in claim.tries {
                    outcomes.push(attempt.run(&opened.gpu, claim.id).await);
                }
                if !outcomes.contains(&Outcome::Lost) {
                    break;
                }
            }
            report(words, claim, &outcomes, &section);
            let lacks = opened.as_ref().and_then(|opened| opened.gpu.require(features).err());
            if let (Some(Missing(feature)), Some(place)) = (lacks, slot(&section, "missing")) {
                text(&place, "feature", feature);
                show(&place, true);
            }
            // Without a device nothing was tried: that takes nothing from what is known.
            if opened.is_some() {
                verdicts.push((claim.id, claim.verdict(&outcomes)));
            } else if !refusal.is_empty() {
                show_message(&section, &refusal);
            }
        }
        if let Some(opened) = opened {
            opened.gpu.device.destroy();
        }
    }
    tally::add(dom, &verdicts);
}

/// Says which of the recorded verdicts is of this engine on this kind of adapter.
fn choose_record(section: &Element, adapter: &raw::Object) {
    let (vendor, architecture) = (adapter.read("info.vendor"), adapter.read("info.architecture"));
    let engine = engine();
    let selector =
        format!("[data-engine=\"{engine}\"][data-vendor=\"{vendor}\"][data-architecture=\"{architecture}\"]");
    if let Ok(Some(record)) = section.query_selector(&selector)
        && let Some(verdict) = record.get_attribute("data-recorded")
    {
        attribute(section, "data-recorded", &verdict);
    }
}

/// The engine whose record fits this browser. Only the choice of a record depends on it.
fn engine() -> &'static str {
    let agent = web_sys::window().and_then(|window| window.navigator().user_agent().ok()).unwrap_or_default();
    match agent {
        agent if agent.contains("Firefox/") => "firefox",
        agent if agent.contains("Chrome/") => "chromium",
        _ => "",
    }
}

fn report(words: &Words, claim: &Claim, outcomes: &[Outcome], section: &Element) {
    let verdict = claim.verdict(outcomes).name();
    attribute(section, "data-verdict", verdict);
    mark(section, verdict);
    text(section, "verdict", &words.get(&format!("verdict.{verdict}")));
    if let Some(row) = slot(section, "verdict").and_then(|word| word.parent_element()) {
        row.set_class_name(&format!("v {verdict}"));
    }
    for (attempt, outcome) in claim.tries.iter().zip(outcomes) {
        let Ok(Some(row)) = section.query_selector(&format!("[data-try=\"{}\"]", attempt.name)) else {
            continue;
        };
        attribute(&row, "data-outcome", outcome.name());
        let _ = row.toggle_attribute_with_force("data-unexpected", !outcome.meets(attempt.expect));
        match outcome {
            Outcome::Value(value) => text(&row, "outcome", value),
            outcome => text(&row, "outcome", &words.get(&format!("outcome.{}", outcome.name()))),
        }
        if let Outcome::Rejected(message) | Outcome::Thrown(message) = outcome {
            attribute(&row, "data-message", message);
            show_message(section, message.trim());
        }
    }
}

/// The browser's own words: the first line, and the rest folded. The first rejection of a claim has the place.
fn show_message(section: &Element, message: &str) {
    let Some(details) = slot(section, "said").filter(|details| details.has_attribute("hidden")) else {
        return;
    };
    let (first, rest) = message.split_once('\n').unwrap_or((message, ""));
    text(&details, "first", first);
    text(&details, "rest", rest);
    if let Some(folded) = slot(&details, "rest").and_then(|rest| rest.parent_element()) {
        show(&folded, !rest.is_empty());
    }
    show(&details, true);
}
