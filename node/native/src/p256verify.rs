//! Signatures on P-256 (EIP-7951) by arkworks' arithmetic: R = (z/s)·G + (r/s)·Q in one row of doublings.

use crate::{Answer, Problem};
use ark_ec::{AdditiveGroup, AffineRepr, CurveGroup};
use ark_ff::{BigInt, BigInteger, Field, PrimeField, Zero};
use ark_secp256r1::{Affine, Fq, Fr, Projective};
use std::sync::OnceLock;

const WORD: usize = 32;
/// Odd multiples from 1 on, so many bits of a scalar at a time.
const KEY_BITS: usize = 5;
const BASE_BITS: usize = 8;

/// digest ‖ r ‖ s ‖ x ‖ y. Either s is good.
pub fn verify(input: &[u8]) -> Answer {
    let word = |at: usize| number(&input[at * WORD..(at + 1) * WORD]);
    let (r, s) = (scalar(word(1))?, scalar(word(2))?);
    let key = point(word(3), word(4))?;
    let digest = Fr::from_be_bytes_mod_order(&input[..WORD]);
    let inverse = s.inverse().ok_or(Problem::Fault)?;
    let sum = joint(digest * inverse, r * inverse, key).into_affine();
    let Some((x, _)) = sum.xy() else { return Err(Problem::Refused) };
    if Fr::from_le_bytes_mod_order(&x.into_bigint().to_bytes_le()) == r { Ok(0) } else { Err(Problem::Refused) }
}

fn number(bytes: &[u8]) -> BigInt<4> {
    let mut limbs = [0u64; 4];
    for (limb, part) in limbs.iter_mut().rev().zip(bytes.chunks_exact(8)) {
        *limb = u64::from_be_bytes(part.try_into().unwrap());
    }
    BigInt::new(limbs)
}

/// From 1 to the order − 1.
fn scalar(value: BigInt<4>) -> Result<Fr, Problem> {
    Fr::from_bigint(value).filter(|scalar| !scalar.is_zero()).ok_or(Problem::Refused)
}

/// A point of the curve; zeros are none. The cofactor is 1.
fn point(x: BigInt<4>, y: BigInt<4>) -> Result<Affine, Problem> {
    let (Some(x), Some(y)) = (Fq::from_bigint(x), Fq::from_bigint(y)) else { return Err(Problem::Refused) };
    let point = Affine::new_unchecked(x, y);
    if point.is_on_curve() { Ok(point) } else { Err(Problem::Refused) }
}

fn joint(of_base: Fr, of_key: Fr, key: Affine) -> Projective {
    static BASE: OnceLock<Vec<Affine>> = OnceLock::new();
    let base = BASE.get_or_init(|| Projective::normalize_batch(&odd_multiples(Affine::generator(), BASE_BITS)));
    let keys = odd_multiples(key, KEY_BITS);
    let base_digits = digits(of_base, BASE_BITS);
    let key_digits = digits(of_key, KEY_BITS);
    let mut sum = Projective::zero();
    for at in (0..base_digits.len().max(key_digits.len())).rev() {
        sum.double_in_place();
        let (of_base, of_key) = (digit(&base_digits, at), digit(&key_digits, at));
        if of_base != 0 {
            let multiple = base[of_base.unsigned_abs() as usize / 2];
            sum += if of_base > 0 { multiple } else { -multiple };
        }
        if of_key != 0 {
            let multiple = keys[of_key.unsigned_abs() as usize / 2];
            sum += if of_key > 0 { multiple } else { -multiple };
        }
    }
    sum
}

fn digit(digits: &[i64], at: usize) -> i64 {
    digits.get(at).copied().unwrap_or(0)
}

/// Non-adjacent form: each digit zero, or odd and below 2^(bits − 1).
fn digits(scalar: Fr, bits: usize) -> Vec<i64> {
    scalar.into_bigint().find_wnaf(bits).unwrap_or_default()
}

fn odd_multiples(point: Affine, bits: usize) -> Vec<Projective> {
    let first = point.into_group();
    let twice = first.double();
    let mut multiples = vec![first];
    for at in 1..1 << (bits - 2) {
        multiples.push(multiples[at - 1] + twice);
    }
    multiples
}
