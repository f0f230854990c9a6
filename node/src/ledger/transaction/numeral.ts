import { ledgerError } from '../ledgerError.ts';

/** Bits of the SDK's `Int` and `LegacyDec`. */
const MAX_BITS = { integer: 256, decimal: 315 } as const;
const MAX_TEXT = 100;
/** Go also reads 010 as eight, 0x10 and 1_0; here a number has one form. */
const NUMERAL = /^-?(0|[1-9]\d*)$/;

/** The text of a number as the SDK reads it when it decodes; none is a missing one. Throws LEDGER_REFUSED, tx parse error. */
export function requireNumeral(bytes: Uint8Array, kind: keyof typeof MAX_BITS): void {
  if (bytes.length === 0) return;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, MAX_TEXT)).toString(
    'latin1',
  );
  if (!NUMERAL.test(text))
    throw ledgerError('decode', `${JSON.stringify(text)} is not a plain decimal number`);
  const limit = 1n << BigInt(MAX_BITS[kind]);
  const value = BigInt(text);
  if (bytes.length < MAX_TEXT && value < limit && -value < limit) return;
  throw ledgerError('decode', `${kind} out of range; max: ${MAX_BITS[kind]} bits`);
}
