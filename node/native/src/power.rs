//! Powers modulo a number (EIP-198).

use crate::{Answer, Problem};
use aurora_engine_modexp::modexp;

/// The lengths of base and exponent, 4 bytes each, big-endian; base ‖ exponent ‖ modulus.
pub fn power(input: &[u8], output: &mut [u8]) -> Answer {
    let length = |at: usize| u32::from_be_bytes(input[at..at + 4].try_into().unwrap()) as usize;
    let (base, rest) = input[8..].split_at(length(0));
    let (exponent, modulus) = rest.split_at(length(4));
    let power = modexp(base, exponent, modulus);
    let room = output.get_mut(..modulus.len()).ok_or(Problem::Fault)?;
    room.fill(0);
    let skipped = power.len().saturating_sub(modulus.len());
    room[modulus.len() - (power.len() - skipped)..].copy_from_slice(&power[skipped..]);
    Ok(modulus.len())
}
