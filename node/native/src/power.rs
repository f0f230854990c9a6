//! Powers modulo a number (EIP-198).

use crate::small_power::{small_power, MAX_LIMBS};
use crate::{Answer, Problem};
use aurora_engine_modexp::modexp;

const HEADER_BYTES: usize = 96;

/// The precompile's input, whole: three lengths of 32 bytes, each below 2^32; base ‖ exponent ‖ modulus.
pub fn power(input: &[u8], output: &mut [u8]) -> Answer {
    let length = |at: usize| u32::from_be_bytes(input[at + 28..at + 32].try_into().unwrap()) as usize;
    let (base, rest) = input[HEADER_BYTES..].split_at(length(0));
    let (exponent, padded) = rest.split_at(length(32));
    let room = output.get_mut(..length(64)).ok_or(Problem::Fault)?;
    room.fill(0);
    let Some(first) = padded.iter().position(|&byte| byte != 0) else {
        return Ok(room.len());
    };
    let modulus = &padded[first..];
    if modulus == [1] {
        return Ok(room.len());
    }
    if modulus.len() <= 8 * MAX_LIMBS {
        small_power(base, exponent, modulus, &mut room[first..]);
        return Ok(room.len());
    }
    let power = modexp(base, exponent, padded);
    let skipped = power.len().saturating_sub(room.len());
    let start = room.len() - (power.len() - skipped);
    room[start..].copy_from_slice(&power[skipped..]);
    Ok(room.len())
}
