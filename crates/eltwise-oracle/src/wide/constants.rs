//! Constants of 256 bits, and the bits of 2/pi. Made by tools/oracle/constants.py.

use super::Wide;

/// pi: 3.141592653589793238462643383279502884197
#[rustfmt::skip]
pub(crate) const PI: Wide<4> = Wide::constant(2, [
    0x020bbea63b139b22, 0x29024e088a67cc74, 0xc4c6628b80dc1cd1, 0xc90fdaa22168c234,
]);

/// log(2): 0.6931471805599453094172321214581765680755
#[rustfmt::skip]
pub(crate) const LN_2: Wide<4> = Wide::constant(0, [
    0x8a0d175b8baafa2b, 0x40f343267298b62d, 0xc9e3b39803f2f6af, 0xb17217f7d1cf79ab,
]);

/// log(10): 2.302585092994045684017991454684364207601
#[rustfmt::skip]
pub(crate) const LN_10: Wide<4> = Wide::constant(2, [
    0x83c61e8201f02d72, 0xe28fecf9da5df90e, 0xea56d62b82d30a28, 0x935d8dddaaa8ac16,
]);

/// 2 / sqrt(pi): 1.128379167095512573896158903121545171688
#[rustfmt::skip]
pub(crate) const TWO_OVER_SQRT_PI: Wide<4> = Wide::constant(1, [
    0x39a15830cce620b0, 0x1409a0ebac3e7517, 0x71d48a7f6bfec344, 0x906eba8214db688d,
]);

/// 1 / sqrt(2): 0.7071067811865475244008443621048490392848
#[rustfmt::skip]
pub(crate) const ONE_OVER_SQRT_2: Wide<4> = Wide::constant(0, [
    0xed17ac8583339915, 0x1d6f60ba893ba84c, 0x597d89b3754abe9f, 0xb504f333f9de6484,
]);

/// sqrt(2 / pi): 0.7978845608028653558798921198687637369517
#[rustfmt::skip]
pub(crate) const SQRT_TWO_OVER_PI: Wide<4> = Wide::constant(0, [
    0x808e369004c73a5d, 0xa7053e60a24e0db1, 0x7e59e2805d5c717f, 0xcc42299ea1b28468,
]);

/// The bits of 2 / pi behind the point, lowest first.
#[rustfmt::skip]
pub(crate) const TWO_OVER_PI: [u64; 24] = [
    0x06061556ca73a8c9, 0x8dffd8804d732731, 0x6599855f14a06840, 0xa9e391615ee61b08,
    0xf0cfbc209af4361d, 0x56033046fc7b6bab, 0x6bfb5fb11f8d5d08, 0x3d0739f78a5292ea,
    0x7527bac7ebe5f17b, 0x4f463f669e5fea2d, 0x6d367ecf27cb09b7, 0xef2f118b5a0a6d1f,
    0x1ff897ffde05980f, 0x9c845f8bbdf9283b, 0x3991d639835339f4, 0xe99c7026b45f7e41,
    0xe88235f52ebb4484, 0xfe1deb1cb129a73e, 0x06492eea09d1921c, 0xb7246e3a424dd2e0,
    0xfe5163abdebbc561, 0xdb6295993c439041, 0xfc2757d1f534ddc0, 0xa2f9836e4e441529,
];
