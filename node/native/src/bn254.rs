//! bn254 (EIP-196, EIP-197) by arkworks. Coordinates are big-endian words of 32 bytes; zeros alone are infinity.

use crate::inverse::inverse;
use crate::{Answer, Problem};
use ark_bn254::{Bn254, Fq, Fq12, Fq2, Fr, G1Affine, G1Projective, G2Affine};
use ark_ec::pairing::{MillerLoopOutput, Pairing};
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{AdditiveGroup, BigInt, BigInteger, Field, One, PrimeField, Zero};
use std::cell::RefCell;

const WORD: usize = 32;
const G1: usize = 2 * WORD;
const PAIR: usize = 6 * WORD;

thread_local! {
    static PRODUCT: RefCell<Fq12> = RefCell::new(Fq12::one());
}

/// Two points.
pub fn add(input: &[u8], output: &mut [u8]) -> Answer {
    let (left, right) = (g1(&input[..G1])?, g1(&input[G1..])?);
    put(&sum(left, right)?, output)
}

/// By affine coordinates: one inverse, as the answer would take anyway.
fn sum(left: G1Affine, right: G1Affine) -> Result<G1Affine, Problem> {
    if left.is_zero() || right.is_zero() {
        return Ok(if left.is_zero() { right } else { left });
    }
    let (rise, run) = match left.x == right.x {
        true if left.y != right.y || left.y.is_zero() => return Ok(G1Affine::zero()),
        true => (left.x.square() * Fq::from(3u64), left.y.double()),
        false => (right.y - left.y, right.x - left.x),
    };
    let slope = rise * inverse(run).ok_or(Problem::Fault)?;
    let x = slope.square() - left.x - right.x;
    Ok(G1Affine::new_unchecked(x, slope * (left.x - x) - left.y))
}

/// A point and a number of any size below 2^256.
pub fn multiply(input: &[u8], output: &mut [u8]) -> Answer {
    let point = g1(&input[..G1])?;
    let scalar = Fr::from_be_bytes_mod_order(&input[G1..G1 + WORD]);
    let product: G1Projective = point.into_group() * scalar;
    put(&product.into_affine(), output)
}

pub fn begin_pairing() -> Answer {
    PRODUCT.with(|product| *product.borrow_mut() = Fq12::one());
    Ok(0)
}

/// Multiplies the product by the Miller loops of some pairs.
pub fn pair(input: &[u8]) -> Answer {
    let mut firsts = Vec::with_capacity(input.len() / PAIR);
    let mut seconds = Vec::with_capacity(input.len() / PAIR);
    for pair in input.chunks_exact(PAIR) {
        let (first, second) = (g1(&pair[..G1])?, g2(&pair[G1..])?);
        if !first.is_zero() && !second.is_zero() {
            firsts.push(first);
            seconds.push(second);
        }
    }
    let part = Bn254::multi_miller_loop(firsts, seconds).0;
    PRODUCT.with(|product| *product.borrow_mut() *= part);
    Ok(0)
}

/// One byte: whether the product is one.
pub fn end_pairing(output: &mut [u8]) -> Answer {
    let product = PRODUCT.with(|product| *product.borrow());
    let result = Bn254::final_exponentiation(MillerLoopOutput(product)).ok_or(Problem::Fault)?;
    output[0] = result.is_zero() as u8;
    Ok(1)
}

fn put(point: &G1Affine, output: &mut [u8]) -> Answer {
    output[..G1].fill(0);
    if let Some((x, y)) = point.xy() {
        output[..WORD].copy_from_slice(&x.into_bigint().to_bytes_be());
        output[WORD..G1].copy_from_slice(&y.into_bigint().to_bytes_be());
    }
    Ok(G1)
}

fn field(bytes: &[u8]) -> Result<Fq, Problem> {
    let mut limbs = [0u64; 4];
    for (limb, part) in limbs.iter_mut().rev().zip(bytes.chunks_exact(8)) {
        *limb = u64::from_be_bytes(part.try_into().unwrap());
    }
    Fq::from_bigint(BigInt::new(limbs)).ok_or(Problem::NotInField)
}

fn g1(bytes: &[u8]) -> Result<G1Affine, Problem> {
    let (x, y) = (field(&bytes[..WORD])?, field(&bytes[WORD..])?);
    if x.is_zero() && y.is_zero() {
        return Ok(G1Affine::zero());
    }
    let point = G1Affine::new_unchecked(x, y);
    if point.is_on_curve() { Ok(point) } else { Err(Problem::OffCurve) }
}

/// The imaginary parts come first. Which part is no field element is not told.
fn g2(bytes: &[u8]) -> Result<G2Affine, Problem> {
    let part = |at: usize| field(&bytes[at * WORD..(at + 1) * WORD]);
    let (x, y) = (Fq2::new(part(1)?, part(0)?), Fq2::new(part(3)?, part(2)?));
    if x.is_zero() && y.is_zero() {
        return Ok(G2Affine::zero());
    }
    let point = G2Affine::new_unchecked(x, y);
    if !point.is_on_curve() {
        return Err(Problem::OffCurve);
    }
    if point.is_in_correct_subgroup_assuming_on_curve() { Ok(point) } else { Err(Problem::NotInG2) }
}
