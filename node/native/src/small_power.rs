//! Powers modulo numbers of at most 32 bytes: they cost so little gas that a general library's preparation would decide.

/// Of the longest modulus.
pub const MAX_LIMBS: usize = 4;
/// Of the exponent: its bits are worth a table from here on.
const TABLE_BYTES: usize = 8;

/// All big-endian; the modulus is above 1, has no leading zeros and at most `MAX_LIMBS` limbs.
pub fn small_power(base: &[u8], exponent: &[u8], modulus: &[u8], output: &mut [u8]) {
    match modulus.len().div_ceil(8) {
        1 => power::<1>(base, exponent, modulus, output),
        2 => power::<2>(base, exponent, modulus, output),
        3 => power::<3>(base, exponent, modulus, output),
        _ => power::<4>(base, exponent, modulus, output),
    }
}

fn power<const N: usize>(base: &[u8], exponent: &[u8], modulus: &[u8], output: &mut [u8]) {
    let divisor = Divisor::<N>::of(modulus);
    let result = raise(&divisor, &divisor.remainder(base), exponent);
    for (i, limb) in divisor.finish(result).iter().enumerate() {
        let end = output.len().saturating_sub(8 * i);
        let start = end.saturating_sub(8);
        output[start..end].copy_from_slice(&limb.to_be_bytes()[8 - (end - start)..]);
    }
}

fn raise<const N: usize>(divisor: &Divisor<N>, base: &[u64; N], exponent: &[u8]) -> [u64; N] {
    let Some(first) = exponent.iter().position(|&byte| byte != 0) else {
        return divisor.one();
    };
    let digits = &exponent[first..];
    if digits.len() < TABLE_BYTES {
        let bits = digits.iter().fold(0u64, |bits, &byte| bits << 8 | byte as u64);
        let mut result = *base;
        for bit in (0..63 - bits.leading_zeros()).rev() {
            result = divisor.product(&result, &result);
            if bits >> bit & 1 == 1 {
                result = divisor.product(&result, base);
            }
        }
        return result;
    }
    let mut powers = [divisor.one(); 16];
    for i in 1..16 {
        powers[i] = divisor.product(&powers[i - 1], base);
    }
    let mut result = powers[0];
    for byte in digits {
        for bits in [byte >> 4, byte & 15] {
            for _ in 0..4 {
                result = divisor.product(&result, &result);
            }
            if bits != 0 {
                result = divisor.product(&result, &powers[bits as usize]);
            }
        }
    }
    result
}

/// A multiple of the modulus by a power of two, so that its first bit is set: remainders by it lead to those by the
/// modulus at the end. Limbs, here and below, begin with the least.
struct Divisor<const N: usize> {
    limbs: [u64; N],
    /// Bits that the modulus was shifted by.
    shift: u32,
    /// Of the first limb: (2^128 − 1) / limb − 2^64.
    reciprocal: u64,
}

impl<const N: usize> Divisor<N> {
    fn of(modulus: &[u8]) -> Self {
        let mut limbs = [0; N];
        for (limb, bytes) in limbs.iter_mut().zip(modulus.rchunks(8)) {
            *limb = limb_of(bytes);
        }
        let shift = limbs[N - 1].leading_zeros();
        shift_left(&mut limbs, shift);
        let reciprocal = (u128::MAX / limbs[N - 1] as u128) as u64;
        Divisor { limbs, shift, reciprocal }
    }

    fn one(&self) -> [u64; N] {
        let mut one = [0; N];
        one[0] = 1;
        one
    }

    fn remainder(&self, bytes: &[u8]) -> [u64; N] {
        let mut rest = [0; N];
        for limb in bytes.rchunks(8).rev() {
            self.push(&mut rest, limb_of(limb));
        }
        rest
    }

    /// Of two numbers below the divisor, modulo the divisor.
    fn product(&self, a: &[u64; N], b: &[u64; N]) -> [u64; N] {
        let mut product = [0u64; 2 * MAX_LIMBS];
        for i in 0..N {
            let mut carry = 0;
            for j in 0..N {
                let sum = a[i] as u128 * b[j] as u128 + product[i + j] as u128 + carry as u128;
                product[i + j] = sum as u64;
                carry = (sum >> 64) as u64;
            }
            product[i + N] = carry;
        }
        // The upper half is below the divisor, for both factors are.
        let mut rest = [0; N];
        rest.copy_from_slice(&product[N..2 * N]);
        for i in (0..N).rev() {
            self.push(&mut rest, product[i]);
        }
        rest
    }

    /// rest · 2^64 + limb, modulo the divisor; the rest is below it. Knuth's algorithm D, a digit of the quotient.
    #[inline(always)]
    fn push(&self, rest: &mut [u64; N], limb: u64) {
        let first = self.limbs[N - 1];
        let next = if N > 1 { rest[N.saturating_sub(2)] } else { limb };
        let (quotient, left) = match rest[N - 1] < first {
            true => self.divide(rest[N - 1], next),
            false => (u64::MAX, 0),
        };
        if N == 1 {
            rest[0] = left;
            return;
        }
        let mut top = rest[N - 1];
        let mut carry = 0;
        let mut shifted = [0; N];
        shifted[0] = limb;
        shifted[1..].copy_from_slice(&rest[..N - 1]);
        for i in 0..N {
            let times = quotient as u128 * self.limbs[i] as u128 + carry as u128;
            let (value, borrow) = shifted[i].overflowing_sub(times as u64);
            shifted[i] = value;
            carry = (times >> 64) as u64 + borrow as u64;
        }
        let mut is_below = carry > top;
        top = top.wrapping_sub(carry);
        // The digit was at most two too large.
        while is_below {
            let carried = add(&mut shifted, &self.limbs);
            let (sum, wrapped) = top.overflowing_add(carried as u64);
            top = sum;
            is_below = !wrapped;
        }
        *rest = shifted;
    }

    /// Quotient and remainder of two limbs by the divisor's first, which is above the first of them (Möller, Granlund:
    /// Improved division by invariant integers, algorithm 4).
    #[inline(always)]
    fn divide(&self, high: u64, low: u64) -> (u64, u64) {
        let first = self.limbs[N - 1];
        let estimate = self.reciprocal as u128 * high as u128 + ((high as u128) << 64 | low as u128);
        let mut quotient = ((estimate >> 64) as u64).wrapping_add(1);
        let mut rest = low.wrapping_sub(quotient.wrapping_mul(first));
        if rest > estimate as u64 {
            quotient = quotient.wrapping_sub(1);
            rest = rest.wrapping_add(first);
        }
        if rest >= first {
            quotient = quotient.wrapping_add(1);
            rest -= first;
        }
        (quotient, rest)
    }

    /// A remainder by the divisor becomes one by the modulus.
    fn finish(&self, rest: [u64; N]) -> [u64; N] {
        if self.shift == 0 {
            return rest;
        }
        // Shifted as the modulus was, it is a digit longer, and its remainder is shifted as well.
        let mut low = rest;
        shift_left(&mut low, self.shift);
        let mut left = [0; N];
        left[0] = rest[N - 1] >> (64 - self.shift);
        for limb in low.iter().rev() {
            self.push(&mut left, *limb);
        }
        for i in 0..N {
            let above = if i + 1 < N { left[i + 1] << (64 - self.shift) } else { 0 };
            left[i] = left[i] >> self.shift | above;
        }
        left
    }
}

/// At most eight bytes, big-endian.
fn limb_of(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |limb, &byte| limb << 8 | byte as u64)
}

/// By less than 64 bits; what is above the last limb is dropped.
fn shift_left<const N: usize>(limbs: &mut [u64; N], bits: u32) {
    if bits == 0 {
        return;
    }
    for i in (0..N).rev() {
        let below = if i > 0 { limbs[i - 1] >> (64 - bits) } else { 0 };
        limbs[i] = limbs[i] << bits | below;
    }
}

/// Whether there is a carry out of the last limb.
fn add<const N: usize>(limbs: &mut [u64; N], more: &[u64; N]) -> bool {
    let mut carry = false;
    for i in 0..N {
        let (sum, first) = limbs[i].overflowing_add(more[i]);
        let (sum, second) = sum.overflowing_add(carry as u64);
        limbs[i] = sum;
        carry = first | second;
    }
    carry
}
