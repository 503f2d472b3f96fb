//! The host: the model of its CPU ([`cpu`]), and pages of memory ([`pages`]).

pub(crate) mod cpu;
pub(crate) mod pages;
