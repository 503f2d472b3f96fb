//! Tokens ([`Token`]) and entries ([`Entry`]): how a program calls code compiled for an ISA.
//!
//! A kernel is an [`Entry`], generic over the token. [`Token::entry`] compiles it once with the features of the token's
//! ISA and returns a function pointer. Inside, the token is a value that proves the features, so lane functions are
//! safe to call.

use crate::isa::Isa;

/// Proof that the CPU has an ISA. Only the entry function of that ISA creates one.
pub trait Token: Copy + 'static {
    /// The ISA that the token proves.
    const ISA: Isa;

    /// A pointer to the code of `E`, compiled with the features of this ISA.
    ///
    /// To call it, the CPU must have the ISA ([`Isa::is_available`]), and the contract of `E::run` must hold.
    fn entry<E: Entry<Self, A>, A>() -> unsafe fn(&A);
}

/// Code that is compiled once per ISA. It takes an argument of type `A`.
pub trait Entry<T: Token, A> {
    /// Runs with the features of `T` enabled. Implementations, and all functions that they call, are
    /// `#[inline(always)]`.
    ///
    /// # Safety
    /// See the implementation.
    unsafe fn run(token: T, argument: &A);
}
