//! The HTML page of a run: [`page`] writes one file without scripts and external resources.
//!
//! | module | contents |
//! |---|---|
//! | [`bars`] | a bar for each case: its time relative to the limit |
//! | [`roofline`], [`log_axis`] | the roofline plot and its logarithmic axes |
//! | `style.css` | colours and layouts for phone and desktop, light and dark |

mod bars;
mod log_axis;
mod roofline;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::report;

use super::compare::{Comparison, Verdict};
use super::record::Record;

/// The page of a run, with a comparison if there is one.
pub(crate) fn page(record: &Record, against: Option<&Comparison<'_>>) -> String {
    let title = format!("eltwise bench: {}", record.machine.cpu);
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(include_str!("style.css"))) }
            }
            body {
                main {
                    (head(record))
                    @if let Some(against) = against { (comparison(record, against)) }
                    (roofline::section(record))
                    (limits(record))
                    (bars::sections(record, against))
                }
            }
        }
    };
    markup.into_string()
}

fn head(record: &Record) -> Markup {
    let (machine, build) = (&record.machine, &record.build);
    let (isa, threads) = (&machine.isa, report::count(machine.threads, "thread"));
    html! {
        h1 { "eltwise bench" }
        dl.machine {
            dt { "CPU" } dd { (machine.cpu) ", " (threads) }
            dt { "Instruction set" } dd { (isa) }
            dt { "Caches" } dd { (machine.caches) }
            dt { "System" } dd { (machine.os) }
            dt { "Version" } dd { "eltwise " (build.eltwise) ", " (build.rustc) @if !build.flags.is_empty() { ", " code { (build.flags) } } }
            dt { "Date" } dd { (record.date) @if record.quick { ", measured with --quick: rough" } }
            @if let Some(load) = record.load { dt { "Load before" } dd { (load) } }
        }
    }
}

fn comparison(record: &Record, against: &Comparison<'_>) -> Markup {
    let slower = record.cases.iter().zip(against.cases).filter(|(_, c)| c.verdict == Verdict::Slower);
    html! {
        section {
            h2 { "Against " (against.name) }
            @for warning in &against.warnings { p.warning { "The runs differ: " (warning) } }
            p {
                (against.count(Verdict::Slower)) " slower, " (against.count(Verdict::Faster)) " faster, "
                (against.count(Verdict::Same)) " the same. "
                "A case is slower or faster when the intervals of both runs are more than " (against.threshold) " % apart."
            }
            ul {
                @for (case, compared) in slower {
                    @if let Some(before) = compared.before {
                        li.slower { (case.name) ": " (format!("{:.2}", case.time.median / before.median)) " times as long" }
                    }
                }
            }
        }
    }
}

fn limits(record: &Record) -> Markup {
    let number = |x: f64| format!("{x:.1}");
    html! {
        section {
            h2 { "Limits of the machine" }
            p { "The best of several rounds, measured with independent loops that share no code with the library." }
            div.scroll {
                table {
                    caption { "Memory bandwidth in GB/s, reads and writes together" }
                    thead { tr { th { "level" } th { "threads" } th { "bytes" } th { "fill" } th { "copy" } th { "add" } th { "read" } } }
                    tbody {
                        @for b in &record.limits.bandwidth {
                            tr {
                                th scope="row" { (b.level.name()) } td { (b.threads) } td { (report::bytes(b.working_set as u64)) }
                                td { (number(b.fill)) } td { (number(b.copy)) } td { (number(b.add)) } td { (number(b.read)) }
                            }
                        }
                    }
                }
            }
            div.scroll {
                table {
                    caption { "Arithmetic in registers in Gop/s; a fused multiply-add counts as two operations" }
                    thead { tr { th { "dtype" } th { "threads" } th { "fma" } th { "mul + add" } th { "divide" } th { "sqrt" } } }
                    tbody {
                        @for p in &record.limits.peaks {
                            tr {
                                th scope="row" { (p.dtype) } td { (p.threads) }
                                td { (number(p.fma)) } td { (number(p.multiply_add)) } td { (number(p.divide)) } td { (number(p.sqrt)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::limits::{Bandwidth, Limits, Peak};
    use crate::bench::memory_level::MemoryLevel;
    use crate::bench::record::{Build, CaseResult, Limit, LimitedBy, Machine, SCHEMA};
    use crate::bench::stats::Summary;

    /// A run of one case, with HTML special characters in every text.
    fn record() -> Record {
        let sign = || "<b>&\"'".to_string();
        let bandwidth = Bandwidth {
            threads: 1,
            level: MemoryLevel::L1,
            working_set: 1024,
            fill: 1.0,
            copy: 2.0,
            add: 3.0,
            read: 4.0,
        };
        let peak = Peak { threads: 1, dtype: "f32".into(), fma: 9.0, multiply_add: 5.0, divide: 1.0, sqrt: 1.0 };
        let time = Summary { median: 100.0, low: 95.0, high: 110.0, rounds: 9 };
        let case = CaseResult {
            name: format!("group/{}", sign()),
            expression: sign(),
            threads: 1,
            elements: 10,
            bytes: 120,
            operations: Some(10),
            level: Some(MemoryLevel::L1),
            time,
            limit: Some(Limit { ns: 40.0, by: LimitedBy::Memory }),
        };
        Record {
            schema: SCHEMA.into(),
            date: sign(),
            machine: Machine { cpu: sign(), caches: sign(), isa: sign(), threads: 1, os: sign() },
            build: Build { eltwise: sign(), rustc: sign(), flags: sign(), profile: sign() },
            load: Some(0.5),
            quick: false,
            limits: Limits { bandwidth: vec![bandwidth], peaks: vec![peak] },
            cases: vec![case],
        }
    }

    #[test]
    fn texts_are_escaped() {
        let record = record();
        let cases = crate::bench::compare::cases(&record, &record.cases, 0.05);
        let against = Comparison { name: "<i>", threshold: 5.0, cases: &cases, warnings: vec!["<u>".into()] };
        let page = page(&record, Some(&against));
        assert!(!page.contains("<b>&") && page.contains("&lt;b&gt;&amp;"));
        assert!(
            page.contains("&lt;i&gt;") && page.contains("&lt;u&gt;") && page.contains("0 slower, 0 faster, 1 the same")
        );
    }

    #[test]
    fn the_length_of_a_bar_is_the_fraction_of_the_limit() {
        let page = page(&record(), None);
        // A limit of 40 ns against 110 ns and 95 ns, on a scale that ends at 1.1.
        for width in [40.0 / 110.0, 40.0 / 95.0] {
            assert!(page.contains(&format!("width=\"{:.2}\"", 100.0 * width / 1.1)), "{width}");
        }
        assert!(page.contains("40 % of L1"));
    }
}
