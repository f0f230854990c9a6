//! Ethereum's dear precompiles for `node/src/evm/standard`: one exported function, `run(work, input, output)`.
//! It answers with the bytes that it wrote, or with a negative number for what is wrong (`Problem`).

mod bls12381;
mod bn254;
mod inverse;
mod kzg;
mod napi;
mod p256verify;
mod power;
mod small_power;

/// What is wrong with an input. `native.ts` has the same numbers.
#[derive(Clone, Copy)]
#[repr(i32)]
pub enum Problem {
    NotInField = -1,
    OffCurve = -2,
    NotInG1 = -3,
    NotInG2 = -4,
    Refused = -5,
    NotPadded = -6,
    /// A fault of this program: no answer at all.
    Fault = -7,
}

pub type Answer = Result<usize, Problem>;

/// The works by number. `native.ts` has the same.
pub fn dispatch(work: u32, input: &[u8], output: &mut [u8]) -> Answer {
    match work {
        0 => bn254::add(input, output),
        1 => bn254::multiply(input, output),
        2 => bn254::begin_pairing(),
        3 => bn254::pair(input),
        4 => bn254::end_pairing(output),
        5 => bls12381::add_g1(input, output),
        6 => bls12381::add_g2(input, output),
        7 => bls12381::begin_products(),
        8 => bls12381::products_g1(input),
        9 => bls12381::products_g2(input),
        10 => bls12381::end_products_g1(output),
        11 => bls12381::end_products_g2(output),
        12 => bls12381::begin_pairing(),
        13 => bls12381::pair(input),
        14 => bls12381::end_pairing(output),
        15 => bls12381::map_g1(input, output),
        16 => bls12381::map_g2(input, output),
        17 => kzg::verify(input),
        18 => power::power(input, output),
        19 => p256verify::verify(input),
        _ => Err(Problem::Fault),
    }
}
