//! BLS12-381 (EIP-2537) by blst. A field element fills the last 48 of its 64 bytes, big-endian; zeros alone are infinity.

use crate::{Answer, Problem};
use blst::*;
use std::cell::RefCell;
use std::ptr::null;

const FIELD: usize = 64;
const PADDING: usize = 16;
const SCALAR: usize = 32;
const G1: usize = 2 * FIELD;
const G2: usize = 4 * FIELD;
const PRIME: [u8; FIELD - PADDING] = [
    0x1a, 0x01, 0x11, 0xea, 0x39, 0x7f, 0xe6, 0x9a, 0x4b, 0x1b, 0xa7, 0xb6, 0x43, 0x4b, 0xac, 0xd7, 0x64, 0x77, 0x4b,
    0x84, 0xf3, 0x85, 0x12, 0xbf, 0x67, 0x30, 0xd2, 0xa0, 0xf6, 0xb0, 0xf6, 0x24, 0x1e, 0xab, 0xff, 0xfe, 0xb1, 0x53,
    0xff, 0xff, 0xb9, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xaa, 0xab,
];

#[derive(Default)]
struct Sums {
    g1: blst_p1,
    g2: blst_p2,
    product: blst_fp12,
}

thread_local! {
    static SUMS: RefCell<Sums> = RefCell::new(Sums::default());
}

pub fn add_g1(input: &[u8], output: &mut [u8]) -> Answer {
    let (left, right) = (g1(&input[..G1])?, g1(&input[G1..])?);
    let (mut point, mut sum) = (blst_p1::default(), blst_p1::default());
    unsafe {
        blst_p1_from_affine(&mut point, &left);
        blst_p1_add_or_double_affine(&mut sum, &point, &right);
    }
    put_g1(&sum, output)
}

pub fn add_g2(input: &[u8], output: &mut [u8]) -> Answer {
    let (left, right) = (g2(&input[..G2])?, g2(&input[G2..])?);
    let (mut point, mut sum) = (blst_p2::default(), blst_p2::default());
    unsafe {
        blst_p2_from_affine(&mut point, &left);
        blst_p2_add_or_double_affine(&mut sum, &point, &right);
    }
    put_g2(&sum, output)
}

pub fn begin_products() -> Answer {
    SUMS.with(|sums| *sums.borrow_mut() = Sums::default());
    Ok(0)
}

/// Points, each before its scalar of 32 bytes, to the sum in G1.
pub fn products_g1(input: &[u8]) -> Answer {
    let (mut points, mut scalars) = (Vec::new(), Vec::new());
    for item in input.chunks_exact(G1 + SCALAR) {
        let point = member_g1(&item[..G1])?;
        if unsafe { !blst_p1_affine_is_inf(&point) } {
            points.push(point);
            scalars.extend_from_slice(&scalar(&item[G1..]));
        }
    }
    let part = match points.len() {
        0 => return Ok(0),
        1 => {
            let (mut point, mut part) = (blst_p1::default(), blst_p1::default());
            unsafe {
                blst_p1_from_affine(&mut point, &points[0]);
                blst_p1_mult(&mut part, &point, scalars.as_ptr(), 255);
            }
            part
        }
        _ => points.mult(&scalars, 255),
    };
    SUMS.with(|sums| {
        let sum = &mut sums.borrow_mut().g1;
        unsafe { blst_p1_add_or_double(sum, sum, &part) }
    });
    Ok(0)
}

/// As `products_g1`, in G2.
pub fn products_g2(input: &[u8]) -> Answer {
    let (mut points, mut scalars) = (Vec::new(), Vec::new());
    for item in input.chunks_exact(G2 + SCALAR) {
        let point = member_g2(&item[..G2])?;
        if unsafe { !blst_p2_affine_is_inf(&point) } {
            points.push(point);
            scalars.extend_from_slice(&scalar(&item[G2..]));
        }
    }
    let part = match points.len() {
        0 => return Ok(0),
        1 => {
            let (mut point, mut part) = (blst_p2::default(), blst_p2::default());
            unsafe {
                blst_p2_from_affine(&mut point, &points[0]);
                blst_p2_mult(&mut part, &point, scalars.as_ptr(), 255);
            }
            part
        }
        _ => points.mult(&scalars, 255),
    };
    SUMS.with(|sums| {
        let sum = &mut sums.borrow_mut().g2;
        unsafe { blst_p2_add_or_double(sum, sum, &part) }
    });
    Ok(0)
}

pub fn end_products_g1(output: &mut [u8]) -> Answer {
    SUMS.with(|sums| put_g1(&sums.borrow().g1, output))
}

pub fn end_products_g2(output: &mut [u8]) -> Answer {
    SUMS.with(|sums| put_g2(&sums.borrow().g2, output))
}

pub fn begin_pairing() -> Answer {
    SUMS.with(|sums| sums.borrow_mut().product = unsafe { *blst_fp12_one() });
    Ok(0)
}

/// Multiplies the product by the Miller loops of some pairs.
pub fn pair(input: &[u8]) -> Answer {
    let (mut firsts, mut seconds) = (Vec::new(), Vec::new());
    for pair in input.chunks_exact(G1 + G2) {
        let (first, second) = (member_g1(&pair[..G1])?, member_g2(&pair[G1..])?);
        if unsafe { !blst_p1_affine_is_inf(&first) && !blst_p2_affine_is_inf(&second) } {
            firsts.push(first);
            seconds.push(second);
        }
    }
    multiply_loops(&firsts, &seconds);
    Ok(0)
}

pub fn multiply_loops(firsts: &[blst_p1_affine], seconds: &[blst_p2_affine]) {
    if firsts.is_empty() {
        return;
    }
    let mut part = blst_fp12::default();
    unsafe {
        blst_miller_loop_n(
            &mut part,
            [seconds.as_ptr(), null()].as_ptr(),
            [firsts.as_ptr(), null()].as_ptr(),
            firsts.len(),
        );
    }
    SUMS.with(|sums| {
        let product = &mut sums.borrow_mut().product;
        unsafe { blst_fp12_mul(product, product, &part) }
    });
}

pub fn is_product_one() -> bool {
    SUMS.with(|sums| {
        let mut result = blst_fp12::default();
        unsafe {
            blst_final_exp(&mut result, &sums.borrow().product);
            blst_fp12_is_one(&result)
        }
    })
}

/// One byte: whether the product is one.
pub fn end_pairing(output: &mut [u8]) -> Answer {
    output[0] = is_product_one() as u8;
    Ok(1)
}

pub fn map_g1(input: &[u8], output: &mut [u8]) -> Answer {
    padded(input)?;
    let element = field(input)?;
    let mut point = blst_p1::default();
    unsafe { blst_map_to_g1(&mut point, &element, null()) };
    put_g1(&point, output)
}

/// The real part first.
pub fn map_g2(input: &[u8], output: &mut [u8]) -> Answer {
    padded(input)?;
    let element = field2(input)?;
    let mut point = blst_p2::default();
    unsafe { blst_map_to_g2(&mut point, &element, null()) };
    put_g2(&point, output)
}

/// Looked at for all elements of a point before any is.
fn padded(bytes: &[u8]) -> Result<(), Problem> {
    let is_padded = bytes.chunks_exact(FIELD).all(|field| field[..PADDING].iter().all(|&byte| byte == 0));
    if is_padded { Ok(()) } else { Err(Problem::NotPadded) }
}

fn field(bytes: &[u8]) -> Result<blst_fp, Problem> {
    let number = &bytes[PADDING..FIELD];
    if number >= &PRIME[..] {
        return Err(Problem::NotInField);
    }
    let mut element = blst_fp::default();
    unsafe { blst_fp_from_bendian(&mut element, number.as_ptr()) };
    Ok(element)
}

fn field2(bytes: &[u8]) -> Result<blst_fp2, Problem> {
    Ok(blst_fp2 { fp: [field(&bytes[..FIELD])?, field(&bytes[FIELD..2 * FIELD])?] })
}

/// A point of the curve, in the subgroup or not.
fn g1(bytes: &[u8]) -> Result<blst_p1_affine, Problem> {
    padded(bytes)?;
    let point = blst_p1_affine { x: field(&bytes[..FIELD])?, y: field(&bytes[FIELD..G1])? };
    let is_on_curve = unsafe { blst_p1_affine_is_inf(&point) || blst_p1_affine_on_curve(&point) };
    if is_on_curve { Ok(point) } else { Err(Problem::OffCurve) }
}

/// As `g1`; the real parts come first.
fn g2(bytes: &[u8]) -> Result<blst_p2_affine, Problem> {
    padded(bytes)?;
    let point = blst_p2_affine { x: field2(&bytes[..2 * FIELD])?, y: field2(&bytes[2 * FIELD..G2])? };
    let is_on_curve = unsafe { blst_p2_affine_is_inf(&point) || blst_p2_affine_on_curve(&point) };
    if is_on_curve { Ok(point) } else { Err(Problem::OffCurve) }
}

fn member_g1(bytes: &[u8]) -> Result<blst_p1_affine, Problem> {
    let point = g1(bytes)?;
    let is_member = unsafe { blst_p1_affine_is_inf(&point) || blst_p1_affine_in_g1(&point) };
    if is_member { Ok(point) } else { Err(Problem::NotInG1) }
}

fn member_g2(bytes: &[u8]) -> Result<blst_p2_affine, Problem> {
    let point = g2(bytes)?;
    let is_member = unsafe { blst_p2_affine_is_inf(&point) || blst_p2_affine_in_g2(&point) };
    if is_member { Ok(point) } else { Err(Problem::NotInG2) }
}

/// Any number of 32 bytes modulo the group's order, little-endian.
pub fn scalar(bytes: &[u8]) -> [u8; SCALAR] {
    let mut scalar = blst_scalar::default();
    unsafe { blst_scalar_from_be_bytes(&mut scalar, bytes.as_ptr(), SCALAR) };
    scalar.b
}

fn put_g1(point: &blst_p1, output: &mut [u8]) -> Answer {
    output[..G1].fill(0);
    unsafe {
        if !blst_p1_is_inf(point) {
            let mut affine = blst_p1_affine::default();
            blst_p1_to_affine(&mut affine, point);
            blst_bendian_from_fp(output[PADDING..].as_mut_ptr(), &affine.x);
            blst_bendian_from_fp(output[FIELD + PADDING..].as_mut_ptr(), &affine.y);
        }
    }
    Ok(G1)
}

fn put_g2(point: &blst_p2, output: &mut [u8]) -> Answer {
    output[..G2].fill(0);
    unsafe {
        if !blst_p2_is_inf(point) {
            let mut affine = blst_p2_affine::default();
            blst_p2_to_affine(&mut affine, point);
            let parts = [affine.x.fp[0], affine.x.fp[1], affine.y.fp[0], affine.y.fp[1]];
            for (part, to) in parts.iter().zip(output.chunks_exact_mut(FIELD)) {
                blst_bendian_from_fp(to[PADDING..].as_mut_ptr(), part);
            }
        }
    }
    Ok(G2)
}
