//! The roofline plot: operations a byte to operations a second, under what the memory and the arithmetic allow.

use maud::{Markup, html};

use crate::bench::level::Level;
use crate::bench::limits::{Bandwidth, Peak};
use crate::bench::record::{Record, Timed};

use super::scale::{Log, label};

/// A plot's size, and how far the axes are from its edges: left, right, top, bottom.
struct Frame {
    class: &'static str,
    size: (f64, f64),
    margin: [f64; 4],
    /// Whether points have their names beside them.
    names: bool,
}

/// One plot for wide windows and one for phones: a plot made smaller would have letters nobody can read.
const FRAMES: [Frame; 2] = [
    Frame { class: "wide", size: (860.0, 480.0), margin: [58.0, 16.0, 16.0, 48.0], names: true },
    Frame { class: "narrow", size: (360.0, 340.0), margin: [46.0, 10.0, 12.0, 44.0], names: false },
];

/// Width of a letter of a name, and its height.
const LETTER: (f64, f64) = (6.2, 13.0);

/// A case in the plot.
struct Point<'a> {
    case: &'a Timed,
    level: Level,
    /// Operations a byte.
    intensity: f64,
    /// Billions of operations a second.
    speed: f64,
}

/// The section of the plot.
pub(super) fn section(record: &Record) -> Markup {
    let points: Vec<Point<'_>> = record.cases.iter().filter_map(point).collect();
    let roofs: Vec<&Bandwidth> = record.limits.bandwidth.iter().filter(|b| b.threads == 1).collect();
    let Some(peak) = record.limits.peak("f32", 1).filter(|_| !points.is_empty()) else { return html! {} };
    html! {
        section {
            h2 { "Roofline" }
            p {
                "Cases of f32 on one thread whose arithmetic can be counted. A slanted line is the memory of a level (the loop "
                "that adds two arrays), a flat one the arithmetic in registers; points lie below the lines of their level. "
                "Math functions are not here, for their operations are their own affair; they are among the bars."
            }
            @for frame in &FRAMES { (plot(frame, &points, &roofs, peak)) }
            (legend(&roofs))
        }
    }
}

fn point(case: &Timed) -> Option<Point<'_>> {
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
    let x = Log::around(points.iter().map(|p| p.intensity).chain([knee]), (left, width - right));
    let y = Log::around(points.iter().map(|p| p.speed).chain([peak.fma]), (height - bottom, top));
    let id = frame.class;
    html! {
        svg class=(id) viewBox=(format!("0 0 {width} {height}")) role="img" aria-labelledby=(format!("roof-title-{id} roof-desc-{id}")) {
            title id=(format!("roof-title-{id}")) { "Roofline plot" }
            desc id=(format!("roof-desc-{id}")) {
                "Operations a byte against billions of operations a second, on logarithmic axes. Peak " (round(peak.fma))
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

fn axes(frame: &Frame, x: &Log, y: &Log) -> Markup {
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
        text.axis x=((left + width - right) / 2.0) y=(height - 8.0) text-anchor="middle" { "operations a byte" }
        text.axis x="13" y=(middle) text-anchor="middle" transform=(format!("rotate(-90 13 {middle})")) { "Gop/s" }
    }
}

/// The roof of a level of the memory, up to the peak.
fn slope(x: &Log, y: &Log, b: &Bandwidth, peak: f64) -> Markup {
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

/// The roof of an arithmetic, with its name: where that ends, and how far it is below the line.
fn flat(x: &Log, y: &Log, (peak, name): (f64, &str), (right, below): (f64, f64)) -> Markup {
    let (left, high) = x.ends();
    html! {
        line.roof x1=(round(x.at(left))) x2=(round(x.at(high))) y1=(round(y.at(peak))) y2=(round(y.at(peak))) {}
        text.name x=(round(right)) y=(round(y.at(peak) + below)) text-anchor="end" { (name) " " (round(peak)) " Gop/s" }
    }
}

/// The sign of a level at a place: not by its colour alone.
fn sign(x: f64, y: f64, level: Level, title: &str) -> Markup {
    let class = format!("mark {}", class(level));
    let at = |dx: f64, dy: f64| format!("{},{}", round(x + dx), round(y + dy));
    html! {
        @match level {
            Level::L1 => circle class=(class) cx=(round(x)) cy=(round(y)) r="4" { title { (title) } },
            Level::L2 => rect class=(class) x=(round(x - 3.6)) y=(round(y - 3.6)) width="7.2" height="7.2" { title { (title) } },
            Level::L3 => polygon class=(class) points=(format!("{} {} {} {}", at(0.0, -5.4), at(5.4, 0.0), at(0.0, 5.4), at(-5.4, 0.0))) { title { (title) } },
            Level::Dram => polygon class=(class) points=(format!("{} {} {}", at(0.0, -5.0), at(5.0, 4.0), at(-5.0, 4.0))) { title { (title) } },
        }
    }
}

fn mark(x: f64, y: f64, p: &Point<'_>) -> Markup {
    let title = format!("{}: {:.1} Gop/s, {:.3} operations a byte", p.case.name, p.speed, p.intensity);
    sign(x, y, p.level, &title)
}

fn legend(roofs: &[&Bandwidth]) -> Markup {
    html! {
        ul.legend {
            @for b in roofs {
                li {
                    svg viewBox="0 0 34 12" width="34" height="12" aria-hidden="true" {
                        line class=(format!("roof {}", class(b.level))) x1="0" x2="34" y1="6" y2="6" {}
                        (sign(17.0, 6.0, b.level, b.level.name()))
                    }
                    (b.level.name()) " " (round(b.add)) " GB/s"
                }
            }
        }
    }
}

/// Names beside points, as far as there is room: none over another one, nor over a point.
fn names(x: &Log, y: &Log, points: &[Point<'_>], right: f64) -> Vec<(f64, f64, String)> {
    let places: Vec<(f64, f64)> = points.iter().map(|p| (x.at(p.intensity), y.at(p.speed))).collect();
    let mut taken: Vec<[f64; 4]> = places.iter().map(|&(x, y)| [x - 5.0, y - 5.0, x + 5.0, y + 5.0]).collect();
    let mut names = Vec::new();
    // Programs first: they are few, and each has a place of its own.
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

/// The class of a level's colour.
pub(super) fn class(level: Level) -> &'static str {
    match level {
        Level::L1 => "l1",
        Level::L2 => "l2",
        Level::L3 => "l3",
        Level::Dram => "dram",
    }
}

/// A number with one digit after the point, if it needs it.
fn round(x: f64) -> f64 {
    (x * 10.0).round() / 10.0
}
