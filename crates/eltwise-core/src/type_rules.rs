//! Type rules: [`Op::result`] gives the dtype of a result, or an error for dtypes that an operator does not take.

use crate::dtype::DType;
use crate::error::Error;
use crate::op::{Op, Signature};

impl Op {
    /// The dtype of the result for operands of these dtypes. `target` is the dtype parameter of `cast` and similar operators.
    ///
    /// # Errors
    /// [`Error::Arity`] for a wrong number of operands, [`Error::Operand`] for dtypes that the operator does not take,
    /// [`Error::Target`] for a dtype that it cannot convert to.
    #[inline]
    pub fn result(self, operands: &[DType], target: Option<DType>) -> Result<DType, Error> {
        let info = self.info();
        let counts = self.counts();
        if operands.len() < *counts.start() || operands.len() > *counts.end() {
            return Err(Error::Arity { op: self, given: operands.len() });
        }
        let wrong =
            |operand: usize, why: &'static str| Error::Operand { op: self, operands: operands.into(), operand, why };
        let signature = info.signature;
        let (mut t, mut u) = (None, None);
        for (i, &d) in operands.iter().enumerate() {
            if signature.is_t(i) {
                if !info.takes(d) {
                    return Err(wrong(i, "not a dtype of this operator"));
                }
                if *t.get_or_insert(d) != d {
                    return Err(wrong(i, "operands must have one dtype (cast one of them)"));
                }
                continue;
            }
            match signature {
                Signature::Select if d != DType::Bool => return Err(wrong(i, "the condition must be bool")),
                Signature::Select => {}
                _ if !signature.second_dtypes().contains(&d) => {
                    return Err(wrong(
                        i,
                        match signature {
                            Signature::Scale => "expected i32 or i64",
                            Signature::Tolerance => "expected bool",
                            _ => "expected i8, u8, i16, u16 or i32",
                        },
                    ));
                }
                _ if *u.get_or_insert(d) != d => return Err(wrong(i, "the quantised operands must have one dtype")),
                _ => {}
            }
        }
        let (t, u) = (t.unwrap_or(operands[0]), u.unwrap_or(DType::I32));
        match signature {
            Signature::UnaryPredicate | Signature::BinaryPredicate | Signature::Tolerance => Ok(DType::Bool),
            Signature::ToF64 => Ok(DType::F64),
            Signature::Convert => {
                let target = target.ok_or_else(|| wrong(0, "needs a target dtype"))?;
                let same_size = self != Op::Bitcast || target.size() == t.size();
                let fits = info.takes(target) && same_size;
                if fits { Ok(target) } else { Err(Error::Target { op: self, from: t, given: target }) }
            }
            Signature::Exponent => Ok(DType::I32),
            Signature::Count => Ok(DType::U8),
            Signature::Quantize => Ok(u),
            _ => Ok(t),
        }
    }
}
