export const MODULUS: u32 = 0x2000;
/** The running power. */
export const POWER: u32 = 0x2100;
/** Sixteen powers of the base, 256 bytes apart; the host writes those of 0 and 1. */
export const TABLE: u32 = 0x2200;
/** Room for 4 KiB of it at a time. */
export const EXPONENT: u32 = 0x4000;
