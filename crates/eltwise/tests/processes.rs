//! Threads of the process: none for runs of width 1, and those that a fork leaves behind. In a process of its own, whose
//! threads nobody else makes.
#![cfg(target_os = "linux")]

use std::time::{Duration, Instant};

use eltwise::{Array, DType, Executor, Plan, Program, Rayon, Serial, Team};

fn threads() -> usize {
    std::fs::read_dir("/proc/self/task").unwrap().count()
}

/// Whether there are `expected` threads, soon: a thread that was joined is in the list until the system has buried it.
fn come_to(expected: usize) -> bool {
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

/// A wide name for one thread.
struct One;

impl Executor for One {
    fn width(&self) -> usize {
        1
    }
    fn parallel_for(&self, tasks: usize, f: &(dyn Fn(usize) + Sync)) {
        (0..tasks).for_each(f);
    }
}

/// Forks; the child ends with what `child` says. Whether it said yes, and in time.
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
                // SAFETY: our child, and an integer to write to.
                let ended = unsafe { libc::waitpid(pid, &raw mut status, libc::WNOHANG) };
                if ended == pid {
                    return libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0;
                }
                if since.elapsed() > Duration::from_secs(60) {
                    // SAFETY: our child, which hangs.
                    unsafe { libc::kill(pid, libc::SIGKILL) };
                    // SAFETY: as above.
                    unsafe { libc::waitpid(pid, &raw mut status, 0) };
                    return false;
                }
                std::thread::sleep(Duration::from_millis(5));
            }
        }
    }
}

/// One test: threads are counted, and a fork copies them all.
#[test]
fn threads_are_made_by_pools_only_and_forks_leave_them_behind() {
    let x = Array::from_slice(&(0..900_001).map(|i| i as f32 * 0.37).collect::<Vec<_>>(), [900_001]).unwrap();
    let small = Array::from_slice(&[1.0f32; 16], [16]).unwrap();
    let (large, tiny) = (plan(&x), plan(&small));
    assert!(large.tasks(2) == 2 && tiny.tasks(2) == 1);

    let before = threads();
    let expected = run(&large, &Serial, &x);
    for _ in 0..3 {
        assert!(run(&large, &One, &x) == expected);
        // What is too small to share does not start rayon's pool.
        assert_eq!(run(&tiny, &Rayon, &small), run(&tiny, &Serial, &small));
        let _ = eltwise::multiply(&x, &x).unwrap();
    }
    assert_eq!(threads(), before, "a run on one thread made threads");
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let before = threads();
    assert!(one.install(|| run(&large, &Rayon, &x)) == expected);
    assert_eq!(threads(), before);

    // A threaded call, then forks.
    rayon::ThreadPoolBuilder::new().num_threads(3).build_global().unwrap();
    assert!(run(&large, &Rayon, &x) == expected && threads() >= before + 3);
    let two = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let child = || {
        assert_eq!((threads(), Rayon.width()), (1, 1));
        assert!(run(&large, &Rayon, &x) == expected && threads() == 1);
        // With a pool of its own it has threads again.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        assert!(pool.install(|| Rayon.width() == 2 && run(&large, &Rayon, &x) == expected));
        // A child's child.
        assert!(in_child(|| Rayon.width() == 1 && run(&large, &Rayon, &x) == expected));
        true
    };
    assert!(in_child(child), "a child of a thread that is no worker");
    // Forked by a worker of a pool, which has no other threads in the child.
    assert!(two.install(|| in_child(child)), "a child of a worker");
    assert!(run(&large, &Rayon, &x) == expected && Rayon.width() == 3, "the parent keeps its threads");
    // A team: at work, at rest and asleep.
    for rest in [0, 100, 20_000] {
        let before = threads();
        let mut team = Some(Team::new(3).unwrap());
        assert!(run(&large, team.as_ref().unwrap(), &x) == expected && threads() == before + 2);
        std::thread::sleep(Duration::from_micros(rest));
        let child = || {
            let theirs = team.take().unwrap();
            assert!(run(&large, &theirs, &x) == expected && threads() == 1);
            drop(theirs);
            run(&large, &Team::new(2).unwrap(), &x) == expected
        };
        assert!(in_child(child), "a team in a child, {rest} us after a run");
        assert!(run(&large, &team.unwrap(), &x) == expected);
        assert!(come_to(before), "a team that was dropped left threads: {} of {before}", threads());
    }
    assert!(!in_child(|| false), "the child's word counts");
}
