"""The self-test of tools/check-structure.py: a checkout with offenders of each kind, and code that only looks like one."""

import tempfile
from pathlib import Path
from typing import Callable

LONG = "\n".join(f"    let _x{i} = {i};" for i in range(80))
# Tokens that would confuse a check without a lexer.
INNOCENT = r'''
//! A module without an offender.
/* A comment /* that nests, with fn too(a: A, b: B, c: C, d: D, e: E, f: F, g: G, h: H) {} */ and crate::b::B */
pub(crate) fn harmless<'a, F: Fn(u8, u8) -> u8>(x: &'a str, f: F, pair: (u8, [u8; 2])) -> char {
    let _ = ("use crate::b::B; { beside", r#"fn " { crate::b::B"#, '{', b'"', '\'', f(1, 2), x, pair);
    '"'
}
#[cfg(test)]
mod tests {
    use crate::b::{B, C};
    fn many(a: u8, b: u8, c: u8, d: u8, e: u8, f: u8, g: u8, h: u8) {}
}
'''

PARAMETERS = "a: u8, b: u8, c: u8, d: u8, e: u8, f: u8, g: u8, h: u8"
# The check leaves out what `#[cfg(test)]` applies to, and nothing after it. Each item under the attribute contains a
# function of eight parameters or is short; each `after_...` is an offender.
CFG_TEST = f"""struct Last {{
    first: u8,
    #[cfg(test)]
    hits: HashMap<u8, usize>
}}
fn after_last_field({PARAMETERS}) {{}}
enum E {{
    #[cfg(test)]
    A {{ a: u8 }},
    B,
}}
fn after_variant({PARAMETERS}) {{}}
fn matches(e: E) {{
    match e {{
        #[cfg(test)]
        E::A {{ a }} => {{ fn inner({PARAMETERS}) {{}} }}
        E::B => {{
            fn after_arm({PARAMETERS}) {{}}
        }}
    }}
    #[cfg(test)]
    let both: (Vec<u8, A>, u8) = if e {{ fn inner({PARAMETERS}) {{}} }} else {{ fn inner({PARAMETERS}) {{}} }};
    #[cfg(all(test, unix))]
    e.f()
}}
fn after_last_statement({PARAMETERS}) {{}}
#[cfg(test)]
pub(crate) fn test_only<A, B>({PARAMETERS}) where A: X, B: Y {{}}
#[cfg(test)]
const C: T = T {{ f: {{ fn inner({PARAMETERS}) {{}} }} }};
#[cfg(any(test, unix))]
fn after_const({PARAMETERS}) {{}}
"""
AFTER_CFG_TEST = [(6, "last_field"), (12, "variant"), (18, "arm"), (26, "last_statement"), (32, "const")]

FILES = {
    "crates/one/Cargo.toml": "",
    # `a` uses `b` through a re-export of the root, `b` uses `a` in a nested tree.
    "crates/one/src/lib.rs": "mod a;\nmod b;\nmod good;\nmod wide;\nmod exempt;\nmod self_use;\nmod log;\n"
    "mod cfg_test;\n"
    "pub(crate) use b::{B as Renamed};\n",
    "crates/one/src/a.rs": "pub(crate) struct A;\n\nfn f(_: crate::Renamed) {}\n",
    "crates/one/src/b.rs": "use super::{good, wide::{self, W}, a::{\n    A,\n}};\npub(crate) struct B;\n",
    "crates/one/src/good.rs": INNOCENT,
    "crates/one/src/wide.rs": "pub struct W;\n"
    "fn eight<T>(a: u8, b: (u8, u8), c: F<u8, u8>, d: u8, e: u8, f: u8, g: u8, h: T,) {\n}\n"
    "fn seven(a: u8, b: (u8, u8), c: F<u8, u8>, d: u8, e: u8, f: u8, g: u8,) {\n}\n",
    "crates/one/src/exempt.rs": f"fn long() {{\n{LONG}\n}}\n",
    # An inline module's `super` is the module of its file.
    "crates/one/src/self_use.rs": "mod inner {\n    use super::X;\n}\nstruct X;\n",
    # An import that has the name of the crate it comes from.
    "crates/one/src/log.rs": "use log::log;\nuse log::log as other;\n",
    "crates/one/src/cfg_test.rs": CFG_TEST,
    "crates/one/src/tests.rs": f"fn long() {{\n{LONG}\n}}\n",
    "benches/Cargo.toml": "",
    "benches/src/lib.rs": f"fn long() {{\n{LONG}\n}}\n",
    "benches/src/main.rs": "// A line.\n" * 451,
    # A program of several files is a crate; a cycle of three modules.
    "benches/src/bin/program/main.rs": "mod x;\nmod y;\nmod z;\n",
    "benches/src/bin/program/x.rs": "use crate::y;\n",
    "benches/src/bin/program/y.rs": "fn f() {\n    crate::z::g();\n}\n",
    "benches/src/bin/program/z.rs": "use super::x::*;\n",
    "tools/tool.py": '"""Numbers beside others."""\n\n\ndef f(a, b, c, d, e, f, *g, h=1):\n    pass\n',
    "docs/page.md": "# Title\n\nWhat is packed once is packed.\n\nWhat to do is fine.\n",
    "docs/tuning-log.md": "It lies beside it.\n",
    "crates/one/target/old.rs": "// Beside.\n",
}

EXPECTED = [
    "benches/src/bin/program/x.rs:1: import cycle of 3 modules: x -> y -> z -> x; this line uses y",
    "benches/src/bin/program/y.rs:2: import cycle of 3 modules: x -> y -> z -> x; this line uses z",
    "benches/src/bin/program/z.rs:1: import cycle of 3 modules: x -> y -> z -> x; this line uses x",
    "benches/src/lib.rs:1: function long has 82 lines, at most 80 allowed",
    "benches/src/main.rs:1: the file has 451 lines, at most 450 allowed: split it by topic",
    "crates/one/src/a.rs:3: import cycle of 2 modules: a -> b -> a; this line uses b",
    "crates/one/src/b.rs:2: import cycle of 2 modules: a -> b -> a; this line uses a",
    *(
        f"crates/one/src/cfg_test.rs:{line}: function after_{name} has 8 parameters, at most 7 allowed: use a struct"
        for line, name in AFTER_CFG_TEST
    ),
    "crates/one/src/wide.rs:2: function eight has 8 parameters, at most 7 allowed: use a struct",
    "docs/page.md:3: `What`: write a noun as the subject, not a clause with `What`",
    "tools/tool.py:1: `beside`: write `next to`, `in addition to` or `against`",
    "tools/tool.py:4: function f has 8 parameters, at most 7 allowed: use a struct",
]


def run(problems: Callable[[Path, set[str]], list[str]]) -> int:
    """Compares the problems of the planted checkout, and of the same without `exempt`, with the expected ones."""
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, text in FILES.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        exempt = "crates/one/src/exempt.rs:1: function long has 82 lines, at most 80 allowed"
        for left_out, expected in [({"exempt"}, EXPECTED), (set(), sorted([*EXPECTED, exempt]))]:
            found = problems(Path(folder), left_out)
            for text in sorted(set(expected) ^ set(found)):
                print(f"self-test: {'missing' if text in expected else 'not expected'}: {text}")
                failures += 1
    print(f"self-test: {len(EXPECTED) + 1} planted problems, {failures} failures")
    return 1 if failures else 0
