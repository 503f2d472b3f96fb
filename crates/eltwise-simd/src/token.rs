//! Tokens and entries: how control gets into code compiled for an ISA.

use crate::isa::Isa;

/// Proof that the CPU has an ISA. Made only inside the entry of that ISA.
pub trait Token: Copy + 'static {
    /// The level.
    const ISA: Isa;

    /// A pointer to `E`'s code compiled with the features of this level.
    ///
    /// Calling it is unsafe: the CPU must have the level ([`Isa::is_available`]), and `E::run`'s contract holds.
    fn entry<E: Entry<Self, A>, A>() -> unsafe fn(&A);
}

/// Code to be compiled once per ISA, over an argument of type `A`.
pub trait Entry<T: Token, A> {
    /// Runs with the features of `T` on. Implementations are `#[inline(always)]`, with all they call.
    ///
    /// # Safety
    /// As the implementation says.
    unsafe fn run(token: T, argument: &A);
}
