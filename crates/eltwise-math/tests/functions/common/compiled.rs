//! A math function, compiled for every ISA: [`Compiled`].

use core::cell::RefCell;
use core::marker::PhantomData;

use eltwise_math::Vector;
use eltwise_oracle::Function;
use eltwise_simd::{Entry, Isa, Lanes, MathLanes, WideLanes};

use super::float::Float;
use super::isas::isas;

/// A function of vectors of `C`. A function of one operand ignores `y`.
pub(crate) trait VectorFunction<C: Float, L: WideLanes + MathLanes<C>> {
    /// The function.
    fn call(x: Vector<C, L>, y: Vector<C, L>) -> Vector<C, L>;
}

/// A function, compiled for every ISA under test.
pub(crate) struct Compiled<C> {
    /// The definition.
    pub(crate) function: Function,
    /// The kernels, lowest ISA first.
    pub(crate) kernels: Vec<Kernel<C>>,
}

/// A function, compiled for one ISA.
pub(crate) struct Kernel<C> {
    /// The ISA.
    pub(crate) isa: Isa,
    /// The lanes of a vector of `C`.
    pub(crate) lanes: usize,
    entry: unsafe fn(&Call<C>),
}

/// The operands: whole vectors of equal length.
pub(crate) struct Call<C> {
    x: Vec<C>,
    y: Vec<C>,
    out: RefCell<Vec<C>>,
}

struct Loop<F>(PhantomData<F>);

impl<C: Float, L: WideLanes + MathLanes<C>, F: VectorFunction<C, L>> Entry<L, Call<C>> for Loop<F> {
    #[inline(always)]
    unsafe fn run(l: L, call: &Call<C>) {
        let n = <L as Lanes<C>>::N;
        let mut out = call.out.borrow_mut();
        for ((x, y), out) in call.x.chunks_exact(n).zip(call.y.chunks_exact(n)).zip(out.chunks_exact_mut(n)) {
            // SAFETY: each chunk has `n` elements.
            unsafe {
                let load = |v: &[C]| Vector::new(l, Lanes::<C>::load(l, v.as_ptr()));
                Lanes::<C>::store(l, out.as_mut_ptr(), F::call(load(x), load(y)).raw());
            }
        }
    }
}

impl<C: Float> Kernel<C> {
    /// The kernel of `F` for the ISA of `L`.
    pub(crate) fn new<L: WideLanes + MathLanes<C>, F: VectorFunction<C, L>>() -> Self {
        Kernel { isa: L::ISA, lanes: <L as Lanes<C>>::N, entry: L::entry::<Loop<F>, Call<C>>() }
    }

    /// The results at pairs of operands.
    pub(crate) fn run(&self, inputs: &[[C; 2]]) -> Vec<C> {
        let padded = inputs.len().next_multiple_of(self.lanes);
        let operand = |k: usize| {
            let mut v: Vec<C> = inputs.iter().map(|input| input[k]).collect();
            v.resize(padded, C::ONE);
            v
        };
        let call = Call { x: operand(0), y: operand(1), out: vec![C::ZERO; padded].into() };
        // SAFETY: `Compiled::new` keeps only kernels of ISAs that the CPU has.
        unsafe { (self.entry)(&call) };
        let mut out = call.out.into_inner();
        out.truncate(inputs.len());
        out
    }
}

impl<C: Float> Compiled<C> {
    /// The function that the oracle calls `name`, with its kernels for all ISAs. Keeps the kernels for the ISAs under
    /// test.
    pub(crate) fn new(name: &str, kernels: Vec<Kernel<C>>) -> Self {
        let isas = isas();
        let kernels = kernels.into_iter().filter(|kernel| isas.contains(&kernel.isa)).collect();
        Compiled { function: name.parse().unwrap(), kernels }
    }

    /// The kernel of the highest ISA.
    pub(crate) fn fastest(&self) -> &Kernel<C> {
        self.kernels.last().expect("the scalar kernel is always there")
    }
}

// Defines `function()`, which returns `eltwise_math::$module::$function` as a `Compiled`.
macro_rules! compiled {
    (correctly_rounded::$function:ident($($x:ident),+)) => {
        $crate::common::compiled::compiled!(@of f32 correctly_rounded $function $($x)+);
    };
    (to_narrow::$function:ident($($x:ident),+)) => {
        $crate::common::compiled::compiled!(@of f64 to_narrow $function $($x)+);
    };
    ($module:ident::$function:ident($($x:ident),+)) => {
        $crate::common::compiled::compiled!(@of $module $module $function $($x)+);
    };
    (@of $c:ident $module:ident $function:ident $x:ident $($y:ident)?) => {
        use eltwise_math::Vector;
        use eltwise_simd::WideLanes;

        use crate::common::compiled::{Compiled, VectorFunction};

        struct UnderTest;

        impl<L: WideLanes> VectorFunction<$c, L> for UnderTest {
            #[inline(always)]
            fn call($x: Vector<$c, L>, y: Vector<$c, L>) -> Vector<$c, L> {
                let _ = y;
                $(let $y = y;)?
                eltwise_math::$module::$function($x $(, $y)?)
            }
        }

        fn function() -> Compiled<$c> {
            Compiled::new(stringify!($function), $crate::common::compiled::kernels!($c UnderTest))
        }
    };
}

// The kernels of a function for the ISAs of this architecture.
macro_rules! kernels {
    ($c:ident $function:ident) => {
        vec![
            $crate::common::compiled::Kernel::<$c>::new::<eltwise_simd::OneLane, $function>(),
            #[cfg(target_arch = "x86_64")]
            $crate::common::compiled::Kernel::<$c>::new::<eltwise_simd::x86_64::Avx2, $function>(),
            #[cfg(target_arch = "x86_64")]
            $crate::common::compiled::Kernel::<$c>::new::<eltwise_simd::x86_64::Avx512, $function>(),
            #[cfg(target_arch = "aarch64")]
            $crate::common::compiled::Kernel::<$c>::new::<eltwise_simd::aarch64::Neon, $function>(),
        ]
    };
}

pub(crate) use {compiled, kernels};
