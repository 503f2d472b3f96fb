//! The math functions, by name: [`Function`].

use core::fmt;
use core::str::FromStr;

/// Makes `enum Function` and its tables from one row per function: variant, name, number of operands, definition.
///
/// The row `Exp "exp" 1 "e^x.";` becomes the variant `Exp` with that doc comment, an element of `ALL`, and one arm each
/// of `name`, `arity` and `doc`.
macro_rules! functions {
    ($($variant:ident $name:literal $arity:literal $doc:literal;)*) => {
        /// A math function. It has the name of the operator in the catalogue of `eltwise-core`.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[non_exhaustive]
        pub enum Function {
            $(#[doc = $doc] $variant,)*
        }

        impl Function {
            /// Every function, functions of one operand first.
            pub const ALL: &'static [Function] = &[$(Function::$variant,)*];

            /// The name, as in [`FromStr`].
            pub const fn name(self) -> &'static str {
                match self { $(Function::$variant => $name,)* }
            }

            /// The number of operands.
            pub const fn arity(self) -> usize {
                match self { $(Function::$variant => $arity,)* }
            }

            /// The definition in one line. The operands are `x` and `y`, unless the line gives other names.
            pub const fn doc(self) -> &'static str {
                match self { $(Function::$variant => $doc,)* }
            }
        }
    };
}

functions! {
    Exp "exp" 1 "e^x.";
    Exp2 "exp2" 1 "2^x.";
    Exp10 "exp10" 1 "10^x.";
    Expm1 "expm1" 1 "e^x - 1.";
    Log "log" 1 "The natural logarithm.";
    Log2 "log2" 1 "The logarithm to base 2.";
    Log10 "log10" 1 "The logarithm to base 10.";
    Log1p "log1p" 1 "log(1 + x).";
    Sin "sin" 1 "The sine.";
    Cos "cos" 1 "The cosine.";
    Tan "tan" 1 "The tangent.";
    Asin "asin" 1 "The inverse sine.";
    Acos "acos" 1 "The inverse cosine.";
    Atan "atan" 1 "The inverse tangent.";
    Sinh "sinh" 1 "The hyperbolic sine.";
    Cosh "cosh" 1 "The hyperbolic cosine.";
    Tanh "tanh" 1 "The hyperbolic tangent.";
    Asinh "asinh" 1 "The inverse hyperbolic sine.";
    Acosh "acosh" 1 "The inverse hyperbolic cosine.";
    Atanh "atanh" 1 "The inverse hyperbolic tangent.";
    Erf "erf" 1 "The error function.";
    Erfc "erfc" 1 "1 - erf(x).";
    Sqrt "sqrt" 1 "The square root.";
    Cbrt "cbrt" 1 "The cube root.";
    Rsqrt "rsqrt" 1 "1 / sqrt(x).";
    Sigmoid "sigmoid" 1 "1 / (1 + e^-x).";
    Logit "logit" 1 "log(x / (1 - x)).";
    Softplus "softplus" 1 "log(1 + e^x).";
    Selu "selu" 1 "1.0507009873554804934193349852946 * (x > 0 ? x : 1.6732632423543772848170429916717 * expm1(x)).";
    Gelu "gelu" 1 "x/2 * erfc(-x / sqrt 2); -0 at -inf.";
    GeluTanh "gelu_tanh" 1 "x * sigmoid(2 u), u = sqrt(2/pi) (x + 0.044715 x^3); -0 at -inf.";
    Silu "silu" 1 "x * sigmoid(x); -0 at -inf.";
    Mish "mish" 1 "x * tanh(softplus(x)); -0 at -inf.";
    LogSigmoid "log_sigmoid" 1 "-log(1 + e^-x).";
    Tanhshrink "tanhshrink" 1 "x - tanh(x).";
    Sinc "sinc" 1 "sin(pi x) / (pi x); 1 at 0.";
    Exprel "exprel" 1 "(e^x - 1) / x; 1 at 0.";
    Entr "entr" 1 "-x log(x); 0 at 0, -inf below.";
    LGamma "lgamma" 1 "log |gamma(x)|.";
    Digamma "digamma" 1 "The derivative of lgamma.";
    Erfinv "erfinv" 1 "The y with erf(y) = x.";
    Erfcinv "erfcinv" 1 "The y with erfc(y) = x.";
    Erfcx "erfcx" 1 "e^(x^2) erfc(x).";
    Ndtr "ndtr" 1 "erfc(-x / sqrt 2) / 2.";
    Ndtri "ndtri" 1 "The y with ndtr(y) = x.";
    LogNdtr "log_ndtr" 1 "log(ndtr(x)).";
    I0 "i0" 1 "The modified Bessel function of order 0.";
    I0e "i0e" 1 "e^-|x| i0(x).";
    I1 "i1" 1 "The modified Bessel function of order 1.";
    I1e "i1e" 1 "e^-|x| i1(x).";
    Pow "pow" 2 "x^y.";
    PowConstant "pow_constant" 2 "x^y, the same function as pow.";
    Atan2 "atan2" 2 "The angle of the point (second operand, first operand).";
    Hypot "hypot" 2 "sqrt(x^2 + y^2).";
    LogAddExp "logaddexp" 2 "log(e^x + e^y).";
    LogAddExp2 "logaddexp2" 2 "log2(2^x + 2^y).";
    Elu "elu" 2 "elu(x, alpha): x > 0 ? x : alpha * expm1(x).";
    Celu "celu" 2 "celu(x, alpha): max(0, x) + min(0, alpha * expm1(x / alpha)).";
    Softcap "softcap" 2 "softcap(x, c): c * tanh(x / c).";
    Swish "swish" 2 "swish(x, alpha): x * sigmoid(alpha * x); its limit at infinite x.";
    XLogY "xlogy" 2 "x log(y); 0 for x = 0, unless y is NaN.";
    XLog1pY "xlog1py" 2 "x log(1 + y); 0 for x = 0, unless y is NaN.";
}

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The error of parsing a [`Function`]: no function has this name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownFunction(pub String);

impl fmt::Display for UnknownFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown math function {:?}", self.0)
    }
}

impl std::error::Error for UnknownFunction {}

impl FromStr for Function {
    type Err = UnknownFunction;
    fn from_str(name: &str) -> Result<Function, UnknownFunction> {
        let found = Function::ALL.iter().copied().find(|f| f.name() == name);
        found.ok_or_else(|| UnknownFunction(name.to_string()))
    }
}
