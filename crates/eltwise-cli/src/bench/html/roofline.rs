//! The roofline plot: arithmetic intensity against the rate of operations, with the limits of memory and arithmetic as roofs.

use maud::{Markup, html};

use crate::bench::limits::{Bandwidth, Peak};
use crate::bench::memory_level::MemoryLevel;
use crate::bench::record::{CaseResult, Record};

use super::log_axis::{LogAxis, label};

/// The dimensions of a plot.
struct Frame {
    class: &'static str,
    size: (f64, f64),
    /// Distances of the axes from the edges: left, right, top, bottom.
    margin: [f64; 4],
    /// Whether points are labelled with their names.
    names: bool,
}

/// One plot for wide windows and one for phones. Text in a scaled-down plot would be too small to read.
const FRAMES: [Frame; 2] = [
    Frame { class: "wide", size: (860.0, 480.0), margin: [58.0, 16.0, 16.0, 48.0], names: true },
    Frame { class: "narrow", size: (360.0, 340.0), margin: [46.0, 10.0, 12.0, 44.0], names: false },
];

/// The width and the height of a letter of a name.
const LETTER: (f64, f64) = (6.2, 13.0);

/// A case in the plot.
struct Point<'a> {
    case: &'a CaseResult,
    level: MemoryLevel,
    /// Operations per byte.
    intensity: f64,
    /// The rate in Gop/s.
    speed: f64,
}

/// The section with the plot; empty if no case has countable arithmetic.
pub(super) fn section(record: &Record) -> Markup {
    let points: Vec<Point<'_>> = record.cases.iter().filter_map(point).collect();
    let roofs: Vec<&Bandwidth> = record.limits.bandwidth.iter().filter(|b| b.threads == 1).collect();
    let Some(peak) = record.limits.peak("f32", 1).filter(|_| !points.is_empty()) else { return html! {} };
    html! {
        section {
            h2 { "Roofline" }
            p {
                "Cases of f32 on one thread whose arithmetic can be counted. A slanted line is the bandwidth of a memory level "
                "(the loop that adds two arrays), a flat line the arithmetic rate in registers; points are below the line of "
                "their level. Math functions are not in the plot, because their operations cannot be counted; they are among "
                "the bars."
            }
            @for frame in &FRAMES { (plot(frame, &points, &roofs, peak)) }
            (legend(&roofs))
        }
    }
}

fn point(case: &CaseResult) -> Option<Point<'_>> {
    let operations = case.operations? as f64;
    let single = case.threads == 1 && !case.name.contains("f64");
    let level = case.level.filter(|_| single && case.limit.is_some())?;
    let (intensity, speed) = (operations / case.bytes as f64, operations / case.time.median);
    Some(Point { case, level, intensity, speed })
}

fn plot(frame: &Frame, points: &[Point<'_>], roofs: &[&Bandwidth], peak: &Peak) -> Markup {
    let (width, height) = frame.size;
    let [left, right, top, bottom] = frame.margin;
    let knee = roofs.iter().map(|b| peak.fma / b.add).fold(0.0, f64::max);
    let x = LogAxis::around(points.iter().map(|p| p.intensity).chain([knee]), (left, width - right));
    let y = LogAxis::around(points.iter().map(|p| p.speed).chain([peak.fma]), (height - bottom, top));
    let id = frame.class;
    html! {
        svg class=(id) viewBox=(format!("0 0 {width} {height}")) role="img" aria-labelledby=(format!("roof-title-{id} roof-desc-{id}")) {
            title id=(format!("roof-title-{id}")) { "Roofline plot" }
            desc id=(format!("roof-desc-{id}")) {
                "Operations per byte against Gop/s, on logarithmic axes. Peak " (round(peak.fma))
                " with fused multiply-add, " (round(peak.multiply_add)) " without."
                @for b in roofs { " " (b.level.name()) " " (round(b.add)) " GB/s." }
            }
            (axes(frame, &x, &y))
            @for b in roofs { (slope(&x, &y, b, peak.fma)) }
            (flat(&x, &y, (peak.fma, "fused multiply-add"), (width - right - 4.0, -5.0)))
            @if peak.multiply_add < 0.8 * peak.fma {
                (flat(&x, &y, (peak.multiply_add, "multiply, add"), (width - right - 4.0, 13.0)))
            }
            @for p in points { (mark(x.at(p.intensity), y.at(p.speed), p)) }
            @if frame.names {
                @for (at_x, at_y, name) in names(&x, &y, points, width - right) {
                    text.name x=(round(at_x)) y=(round(at_y)) { (name) }
                }
            }
        }
    }
}

fn axes(frame: &Frame, x: &LogAxis, y: &LogAxis) -> Markup {
    let (width, height) = frame.size;
    let [left, right, top, bottom] = frame.margin;
    let (floor, middle) = (height - bottom, (top + height - bottom) / 2.0);
    html! {
        @for tick in x.ticks() {
            line.grid x1=(round(x.at(tick))) x2=(round(x.at(tick))) y1=(top) y2=(floor) {}
            text.tick x=(round(x.at(tick))) y=(floor + 16.0) text-anchor="middle" { (label(tick)) }
        }
        @for tick in y.ticks() {
            line.grid x1=(left) x2=(width - right) y1=(round(y.at(tick))) y2=(round(y.at(tick))) {}
            text.tick x=(left - 6.0) y=(round(y.at(tick) + 4.0)) text-anchor="end" { (label(tick)) }
        }
        rect.frame x=(left) y=(top) width=(width - left - right) height=(floor - top) {}
        text.axis x=((left + width - right) / 2.0) y=(height - 8.0) text-anchor="middle" { "operations per byte" }
        text.axis x="13" y=(middle) text-anchor="middle" transform=(format!("rotate(-90 13 {middle})")) { "Gop/s" }
    }
}

/// The roof of a memory level, up to the peak.
fn slope(x: &LogAxis, y: &LogAxis, b: &Bandwidth, peak: f64) -> Markup {
    let (left, _) = x.ends();
    let (low, _) = y.ends();
    let start = left.max(low / b.add);
    let end = peak / b.add;
    let class = format!("roof {}", class(b.level));
    html! {
        text.name x=(round(x.at(start) + 8.0)) y=(round(y.at(start * b.add) + 10.0)) { (b.level.name()) }
        line class=(class) x1=(round(x.at(start))) y1=(round(y.at(start * b.add))) x2=(round(x.at(end))) y2=(round(y.at(peak))) {}
    }
}

/// The roof of an arithmetic rate. Its label ends at the coordinate `right`, `below` units below the line.
fn flat(x: &LogAxis, y: &LogAxis, (peak, name): (f64, &str), (right, below): (f64, f64)) -> Markup {
    let (left, high) = x.ends();
    html! {
        line.roof x1=(round(x.at(left))) x2=(round(x.at(high))) y1=(round(y.at(peak))) y2=(round(y.at(peak))) {}
        text.name x=(round(right)) y=(round(y.at(peak) + below)) text-anchor="end" { (name) " " (round(peak)) " Gop/s" }
    }
}

/// The marker of a level at a point. Levels differ in shape as well as in colour.
fn marker(x: f64, y: f64, level: MemoryLevel, title: &str) -> Markup {
    let class = format!("mark {}", class(level));
    let at = |dx: f64, dy: f64| format!("{},{}", round(x + dx), round(y + dy));
    html! {
        @match level {
            MemoryLevel::L1 => circle class=(class) cx=(round(x)) cy=(round(y)) r="4" { title { (title) } },
            MemoryLevel::L2 => rect class=(class) x=(round(x - 3.6)) y=(round(y - 3.6)) width="7.2" height="7.2" { title { (title) } },
            MemoryLevel::L3 => polygon class=(class) points=(format!("{} {} {} {}", at(0.0, -5.4), at(5.4, 0.0), at(0.0, 5.4), at(-5.4, 0.0))) { title { (title) } },
            MemoryLevel::Dram => polygon class=(class) points=(format!("{} {} {}", at(0.0, -5.0), at(5.0, 4.0), at(-5.0, 4.0))) { title { (title) } },
        }
    }
}

fn mark(x: f64, y: f64, p: &Point<'_>) -> Markup {
    let title = format!("{}: {:.1} Gop/s, {:.3} operations per byte", p.case.name, p.speed, p.intensity);
    marker(x, y, p.level, &title)
}

fn legend(roofs: &[&Bandwidth]) -> Markup {
    html! {
        ul.legend {
            @for b in roofs {
                li {
                    svg viewBox="0 0 34 12" width="34" height="12" aria-hidden="true" {
                        line class=(format!("roof {}", class(b.level))) x1="0" x2="34" y1="6" y2="6" {}
                        (marker(17.0, 6.0, b.level, b.level.name()))
                    }
                    (b.level.name()) " " (round(b.add)) " GB/s"
                }
            }
        }
    }
}

/// The labels of points with their positions. A label that would overlap another label or a point is left out.
fn names(x: &LogAxis, y: &LogAxis, points: &[Point<'_>], right: f64) -> Vec<(f64, f64, String)> {
    let places: Vec<(f64, f64)> = points.iter().map(|p| (x.at(p.intensity), y.at(p.speed))).collect();
    let mut taken: Vec<[f64; 4]> = places.iter().map(|&(x, y)| [x - 5.0, y - 5.0, x + 5.0, y + 5.0]).collect();
    let mut names = Vec::new();
    // Fused programs first: they are few, and their points are apart.
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by_key(|&k| points[k].case.group() != "fused");
    for k in order {
        let name = points[k].case.name.split('/').nth(1).unwrap_or_default();
        let (px, py) = places[k];
        let width = name.len() as f64 * LETTER.0;
        for (left, base) in [(px + 8.0, py + 4.0), (px - 8.0 - width, py + 4.0), (px - width / 2.0, py - 9.0)] {
            let place = [left, base - LETTER.1 + 3.0, left + width, base + 3.0];
            let free = |t: &[f64; 4]| place[2] < t[0] || t[2] < place[0] || place[3] < t[1] || t[3] < place[1];
            let others = taken.iter().enumerate().filter(|(other, _)| *other != k);
            if place[2] < right && others.map(|(_, t)| t).all(free) {
                taken.push(place);
                names.push((left, base, name.to_string()));
                break;
            }
        }
    }
    names
}

/// The CSS class with the colour of a level.
pub(super) fn class(level: MemoryLevel) -> &'static str {
    match level {
        MemoryLevel::L1 => "l1",
        MemoryLevel::L2 => "l2",
        MemoryLevel::L3 => "l3",
        MemoryLevel::Dram => "dram",
    }
}

/// A number rounded to one decimal digit.
fn round(x: f64) -> f64 {
    (x * 10.0).round() / 10.0
}
