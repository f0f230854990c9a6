import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DECIMAL_ONE,
  divideDecimal,
  formatDecimal,
  multiplyDecimal,
  parseDecimal,
} from '../../primitives/index.ts';
import { EMPTY_STATE, Overlay } from '../../state/view/index.ts';
import { adjustBaseFee, advanceBaseFee, readNextBaseFee } from './baseFee.ts';
import { DEFAULT_FEE_PARAMETERS, readFeeParameters, writeFeeParameters } from './feeParameters.ts';

const GWEI = 10n ** 9n;
const gasLimit = 10_000_000n;
const gwei = (amount: bigint): bigint => amount * GWEI * DECIMAL_ONE;
const parameters = DEFAULT_FEE_PARAMETERS;
const gas = fc.bigInt({ min: 0n, max: 20_000_000n });
const fee = fc.bigInt({ min: gwei(1n), max: gwei(1000n) });

describe('decimals', () => {
  it('round half to even', () => {
    expect(multiplyDecimal(5n, DECIMAL_ONE / 10n)).toBe(0n);
    expect(multiplyDecimal(15n, DECIMAL_ONE / 10n)).toBe(2n);
    expect(multiplyDecimal(25n, DECIMAL_ONE / 10n)).toBe(2n);
    expect(divideDecimal(1n, 3n * DECIMAL_ONE)).toBe(0n);
    expect(divideDecimal(2n, 3n * DECIMAL_ONE)).toBe(1n);
  });

  it('parse what they print', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 40n }), (value) => {
        expect(parseDecimal(formatDecimal(value))).toBe(value);
      }),
    );
    for (const text of ['', '-1', '1.', '.5', '1e3', '0.1234567890123456789']) {
      expect(parseDecimal(text)).toBeUndefined();
    }
  });
});

describe('base fee', () => {
  it('rises by 1.89 % after a full block and falls by 0.39 % after an empty one', () => {
    expect(adjustBaseFee(gwei(100n), { gasUsed: gasLimit, gasLimit }, parameters)).toBe(
      (gwei(100n) * 10_189n) / 10_000n,
    );
    expect(adjustBaseFee(gwei(100n), { gasUsed: 0n, gasLimit }, parameters)).toBe(
      (gwei(100n) * 9_961n) / 10_000n,
    );
    expect(adjustBaseFee(gwei(100n), { gasUsed: 250_000n, gasLimit }, parameters)).toBe(gwei(100n));
  });

  it('stays between the minimum and the maximum fee', () => {
    fc.assert(
      fc.property(fee, gas, (previous, gasUsed) => {
        const next = adjustBaseFee(previous, { gasUsed, gasLimit }, parameters);
        expect(next >= parameters.minimumFeePerGas && next <= parameters.maximumFeePerGas).toBe(true);
      }),
    );
  });

  it('never falls when more gas was used', () => {
    fc.assert(
      fc.property(fee, gas, gas, (previous, a, b) => {
        const [less, more] = a < b ? [a, b] : [b, a];
        expect(
          adjustBaseFee(previous, { gasUsed: more, gasLimit }, parameters) >=
            adjustBaseFee(previous, { gasUsed: less, gasLimit }, parameters),
        ).toBe(true);
      }),
    );
  });

  it('does not move when the target is zero, or is the whole block', () => {
    const still = { ...parameters, targetGasUsedPerBlock: 0n };
    expect(adjustBaseFee(gwei(7n), { gasUsed: gasLimit, gasLimit }, still)).toBe(gwei(7n));
    const whole = { ...parameters, targetGasUsedPerBlock: gasLimit };
    expect(adjustBaseFee(gwei(7n), { gasUsed: 2n * gasLimit, gasLimit }, whole)).toBe(gwei(7n));
  });

  it('is the minimum fee while nothing is stored, and keeps its fraction from block to block', () => {
    const overlay = new Overlay(EMPTY_STATE);
    expect(readNextBaseFee(overlay)).toBe(GWEI);
    writeFeeParameters(overlay, { ...parameters, minimumFeePerGas: 3n * DECIMAL_ONE });
    expect(readFeeParameters(overlay).minimumFeePerGas).toBe(3n * DECIMAL_ONE);
    expect(readNextBaseFee(overlay)).toBe(3n);
    for (let i = 0; i < 15; i++) advanceBaseFee(overlay, { gasUsed: gasLimit, gasLimit });
    // 3 × 1.0189^15 = 3.97: whole wei alone would have stayed at 3 forever.
    expect(readNextBaseFee(overlay)).toBe(3n);
    expect(advanceBaseFee(overlay, { gasUsed: gasLimit, gasLimit })).toBe(4n);
  });
});
