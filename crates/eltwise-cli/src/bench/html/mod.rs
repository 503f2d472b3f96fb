//! The page of a run: one file, without a script and without anything from elsewhere.
//!
//! | question | module |
//! |---|---|
//! | how near is each case to its limit? | [`bars`] |
//! | where do cases lie under the roofs of the machine? | [`roofline`], on the axes of [`scale`] |
//! | colours, phone and desktop, light and dark | `style.css` |

mod bars;
mod roofline;
mod scale;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::report;

use super::compare::{Against, Verdict};
use super::record::Record;

/// The page.
pub(crate) fn page(record: &Record, against: Option<&Against<'_>>) -> String {
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
        }
    }
}

fn comparison(record: &Record, against: &Against<'_>) -> Markup {
    let slower = record.cases.iter().zip(against.cases).filter(|(_, c)| c.verdict == Verdict::Slower);
    html! {
        section {
            h2 { "Against " (against.name) }
            @for warning in &against.warnings { p.warning { "The runs are not of the same kind: " (warning) } }
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
            p { "Each the best of some rounds of loops that are none of the library's." }
            div.scroll {
                table {
                    caption { "Memory, billions of bytes a second, reads and writes together" }
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
                    caption { "Arithmetic in registers, billions of operations a second; a fused multiply-add is two" }
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
