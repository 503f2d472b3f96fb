//! The threads of the process: runs of width 1 start none, and plans run in forked children, which have none of the
//! parent's threads. This is the only test of its program because it counts all threads of the process.
#![cfg(target_os = "linux")]

use std::time::{Duration, Instant};

use eltwise::{Array, DType, Executor, Plan, Program, Rayon, Serial, Team};

fn threads() -> usize {
    std::fs::read_dir("/proc/self/task").unwrap().count()
}

/// Waits until the process has `expected` threads, at most 10 s: the system lists a thread for a while after it was
/// joined.
fn threads_become(expected: usize) -> bool {
    let since = Instant::now();
    while threads() != expected && since.elapsed() < Duration::from_secs(10) {
        std::thread::sleep(Duration::from_millis(1));
    }
    threads() == expected
}

fn plan(input: &Array) -> Plan {
    Program::parse("x / 3 - x * x", &[("x", DType::F32)]).unwrap().bind(&[input.layout()]).unwrap()
}

fn run(plan: &Plan, executor: &dyn Executor, x: &Array) -> Vec<u8> {
    let mut out = Array::with_layout(plan.output_layouts()[0].clone()).unwrap();
    let _ = plan.run_with(executor, &[x.view()], &mut [out.view_mut()]).unwrap();
    out.bytes().to_vec()
}

/// An executor of width 1.
struct One;

impl Executor for One {
    fn width(&self) -> usize {
        1
    }
    fn parallel_for(&self, tasks: usize, f: &(dyn Fn(usize) + Sync)) {
        (0..tasks).for_each(f);
    }
}

/// Forks and runs `child` in the child process. Returns whether it returned `true` within 60 s.
fn in_child(child: impl FnOnce() -> bool) -> bool {
    // SAFETY: the child only computes and ends by `_exit`: it runs no destructors and nothing of the test harness.
    match unsafe { libc::fork() } {
        0 => {
            let ok = std::panic::catch_unwind(std::panic::AssertUnwindSafe(child)).unwrap_or(false);
            // SAFETY: ends this process.
            unsafe { libc::_exit(if ok { 0 } else { 1 }) }
        }
        pid => {
            assert!(pid > 0, "fork: {}", std::io::Error::last_os_error());
            let since = Instant::now();
            loop {
                let mut status = 0;
                // SAFETY: `pid` is our child, and the pointer is to an integer that outlives the call.
                let ended = unsafe { libc::waitpid(pid, &raw mut status, libc::WNOHANG) };
                if ended == pid {
                    return libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0;
                }
                if since.elapsed() > Duration::from_secs(60) {
                    // SAFETY: `pid` is our child, which has not been waited for.
                    unsafe { libc::kill(pid, libc::SIGKILL) };
                    // SAFETY: `pid` is our child, and the pointer is to an integer that outlives the call.
                    unsafe { libc::waitpid(pid, &raw mut status, 0) };
                    return false;
                }
                std::thread::sleep(Duration::from_millis(5));
            }
        }
    }
}

/// One test function, because another one would start threads at the same time.
#[test]
fn only_pools_start_threads_and_plans_run_in_forked_children() {
    let x = Array::from_slice(&(0..900_001).map(|i| i as f32 * 0.37).collect::<Vec<_>>(), [900_001]).unwrap();
    let small = Array::from_slice(&[1.0f32; 16], [16]).unwrap();
    let (large, tiny) = (plan(&x), plan(&small));
    assert!(large.tasks(2) == 2 && tiny.tasks(2) == 1);

    let before = threads();
    let expected = run(&large, &Serial, &x);
    for _ in 0..3 {
        assert!(run(&large, &One, &x) == expected);
        // A run that is too small to share does not start rayon's pool.
        assert_eq!(run(&tiny, &Rayon, &small), run(&tiny, &Serial, &small));
        let _ = eltwise::multiply(&x, &x).unwrap();
    }
    assert_eq!(threads(), before, "a run on one thread started threads");
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let before = threads();
    assert!(one.install(|| run(&large, &Rayon, &x)) == expected);
    assert_eq!(threads(), before);

    // Fork after a run on several threads.
    rayon::ThreadPoolBuilder::new().num_threads(3).build_global().unwrap();
    assert!(run(&large, &Rayon, &x) == expected && threads() >= before + 3);
    let two = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let child = || {
        assert_eq!((threads(), Rayon.width()), (1, 1));
        assert!(run(&large, &Rayon, &x) == expected && threads() == 1);
        // The child can make a new pool.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        assert!(pool.install(|| Rayon.width() == 2 && run(&large, &Rayon, &x) == expected));
        // And fork again.
        assert!(in_child(|| Rayon.width() == 1 && run(&large, &Rayon, &x) == expected));
        true
    };
    assert!(in_child(child), "a child of a thread that is no worker");
    // A worker of a pool forks. The child has no other thread of the pool.
    assert!(two.install(|| in_child(child)), "a child of a worker");
    assert!(run(&large, &Rayon, &x) == expected && Rayon.width() == 3, "the parent keeps its threads");
    // Fork while the workers of a team still spin, and when they sleep.
    for pause in [0, 100, 20_000] {
        let before = threads();
        let mut team = Some(Team::new(3).unwrap());
        assert!(run(&large, team.as_ref().unwrap(), &x) == expected && threads() == before + 2);
        std::thread::sleep(Duration::from_micros(pause));
        let child = || {
            let inherited = team.take().unwrap();
            assert!(run(&large, &inherited, &x) == expected && threads() == 1);
            drop(inherited);
            run(&large, &Team::new(2).unwrap(), &x) == expected
        };
        assert!(in_child(child), "a team in a child, {pause} us after a run");
        assert!(run(&large, &team.unwrap(), &x) == expected);
        assert!(threads_become(before), "a dropped team left threads: {}, expected {before}", threads());
    }
    assert!(!in_child(|| false), "the result of the child is ignored");
}
