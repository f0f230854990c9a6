//! The proof of a blob's point (EIP-4844): e(C − [y]₁ + z·π, −[1]₂) · e(π, [τ]₂) = 1.

use crate::bls12381::{begin_pairing, is_product_one, multiply_loops, scalar};
use crate::{Answer, Problem};
use blst::*;

const POINT: usize = 48;
/// [τ]₂ of Ethereum's ceremony, compressed.
const TAU: [u8; 96] = [
    0xb5, 0xbf, 0xd7, 0xdd, 0x8c, 0xde, 0xb1, 0x28, 0x84, 0x3b, 0xc2, 0x87, 0x23, 0x0a, 0xf3, 0x89,
    0x26, 0x18, 0x70, 0x75, 0xcb, 0xfb, 0xef, 0xa8, 0x10, 0x09, 0xa2, 0xce, 0x61, 0x5a, 0xc5, 0x3d,
    0x29, 0x14, 0xe5, 0x87, 0x0c, 0xb4, 0x52, 0xd2, 0xaf, 0xaa, 0xab, 0x24, 0xf3, 0x49, 0x9f, 0x72,
    0x18, 0x5c, 0xbf, 0xee, 0x53, 0x49, 0x27, 0x14, 0x73, 0x44, 0x29, 0xb7, 0xb3, 0x86, 0x08, 0xe2,
    0x39, 0x26, 0xc9, 0x11, 0xcc, 0xec, 0xea, 0xc9, 0xa3, 0x68, 0x51, 0x47, 0x7b, 0xa4, 0xc6, 0x0b,
    0x08, 0x70, 0x41, 0xde, 0x62, 0x10, 0x00, 0xed, 0xc9, 0x8e, 0xda, 0xda, 0x20, 0xc1, 0xde, 0xf2,
];

/// z ‖ y ‖ commitment ‖ proof, of 32, 32, 48 and 48 bytes.
pub fn verify(input: &[u8]) -> Answer {
    let z = canonical(&input[..32])?;
    let y = canonical(&input[32..64])?;
    let commitment = member(&input[64..64 + POINT])?;
    let proof = member(&input[64 + POINT..64 + 2 * POINT])?;
    let mut left = blst_p1_affine::default();
    let mut tau = blst_p2_affine::default();
    unsafe {
        let (mut sum, mut point, mut part) = (blst_p1::default(), blst_p1::default(), blst_p1::default());
        blst_p1_mult(&mut sum, blst_p1_generator(), y.as_ptr(), 255);
        blst_p1_cneg(&mut sum, true);
        blst_p1_add_or_double_affine(&mut sum, &sum, &commitment);
        blst_p1_from_affine(&mut point, &proof);
        if !blst_p1_is_inf(&point) {
            blst_p1_mult(&mut part, &point, z.as_ptr(), 255);
            blst_p1_add_or_double(&mut sum, &sum, &part);
        }
        blst_p1_to_affine(&mut left, &sum);
        if blst_p2_uncompress(&mut tau, TAU.as_ptr()) != BLST_ERROR::BLST_SUCCESS {
            return Err(Problem::Fault);
        }
    }
    begin_pairing()?;
    for (first, second) in [(left, unsafe { BLS12_381_NEG_G2 }), (proof, tau)] {
        if unsafe { !blst_p1_affine_is_inf(&first) } {
            multiply_loops(&[first], &[second]);
        }
    }
    if is_product_one() { Ok(0) } else { Err(Problem::Refused) }
}

/// A number below the group's order.
fn canonical(bytes: &[u8]) -> Result<[u8; 32], Problem> {
    let little = scalar(bytes);
    if little.iter().rev().eq(bytes.iter()) { Ok(little) } else { Err(Problem::Refused) }
}

/// A compressed point of the subgroup, or infinity.
fn member(bytes: &[u8]) -> Result<blst_p1_affine, Problem> {
    let mut point = blst_p1_affine::default();
    let is_member = unsafe {
        blst_p1_uncompress(&mut point, bytes.as_ptr()) == BLST_ERROR::BLST_SUCCESS
            && (blst_p1_affine_is_inf(&point) || blst_p1_affine_in_g1(&point))
    };
    if is_member { Ok(point) } else { Err(Problem::Refused) }
}
