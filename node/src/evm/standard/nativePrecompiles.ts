import type { Interrupt } from '../evmEngine.ts';
import { INVALID_LENGTH } from './bls12381.ts';
import { bytesAt, wordOfOne } from './input.ts';
import { hasNative, native, PROBLEM, WORK } from './native.ts';
import { nativeModexp } from './nativeModexp.ts';
import { isP256Signature } from './p256verify.ts';
import { evaluatePoint } from './pointEvaluation.ts';
import { NO_BYTES, type StandardPrecompile } from './standardPrecompile.ts';

const NO = new Uint8Array(32);
const BN_PAIR_BYTES = 192;
const BLS_PAIR_BYTES = 384;
const P256_BYTES = 160;
/** Some ten milliseconds. */
const PAIRS_A_QUESTION = 32;
const PRODUCTS_A_QUESTION = 128;

const FIELD_TEXT = 'invalid fp.Element encoding';
const BN_TEXTS: Texts = {
  [PROBLEM.notInField]: FIELD_TEXT,
  [PROBLEM.offCurve]: 'point is not on curve',
  [PROBLEM.notInG2]: 'point is not in correct subgroup',
};
const BLS_TEXTS: Texts = {
  [PROBLEM.notInField]: FIELD_TEXT,
  [PROBLEM.offCurve]: 'invalid point: not on curve',
  [PROBLEM.notInG1]: 'g1 point is not on correct subgroup',
  [PROBLEM.notInG2]: 'g2 point is not on correct subgroup',
  [PROBLEM.notPadded]: 'invalid field element top bytes',
};

type Texts = Readonly<Record<number, string>>;
type Run = StandardPrecompile['run'];

interface Product {
  readonly begin: number;
  readonly work: number;
  readonly end: number;
  readonly itemBytes: number;
  readonly itemsAQuestion: number;
  readonly texts: Texts;
}

/** What the addon runs in place of the portable code, by the last two bytes of the address: same answers, same texts. */
export const NATIVE_RUNS: ReadonlyMap<number, Run> = new Map<number, Run>([
  [0x05, nativeModexp],
  [0x06, (input) => told(BN_TEXTS, native(WORK.bnAdd, bytesAt(input, 0, 128)))],
  [0x07, (input) => told(BN_TEXTS, native(WORK.bnMul, bytesAt(input, 0, 96)))],
  [
    0x08,
    (input, interrupt) => {
      if (input.length % BN_PAIR_BYTES !== 0) return 'bad elliptic curve pairing size';
      return isOne(inParts(BN_PAIRING, input, interrupt));
    },
  ],
  [0x0a, (input) => evaluatePoint(input, (claim) => isBytes(native(WORK.pointEvaluation, claim)))],
  [0x0b, exactly(256, WORK.addG1)],
  [0x0c, products(160, { work: WORK.productsG1, end: WORK.productsEndG1 })],
  [0x0d, exactly(512, WORK.addG2)],
  [0x0e, products(288, { work: WORK.productsG2, end: WORK.productsEndG2 })],
  [
    0x0f,
    (input, interrupt) => {
      if (input.length === 0 || input.length % BLS_PAIR_BYTES !== 0) return INVALID_LENGTH;
      return isOne(inParts(BLS_PAIRING, input, interrupt));
    },
  ],
  [0x10, exactly(64, WORK.mapG1)],
  [0x11, exactly(128, WORK.mapG2)],
  [0x0100, (input) => (isNativelySigned(input) ? wordOfOne() : NO_BYTES)],
]);

const BN_PAIRING: Product = {
  begin: WORK.bnPairingBegin,
  work: WORK.bnPairs,
  end: WORK.bnPairingEnd,
  itemBytes: BN_PAIR_BYTES,
  itemsAQuestion: PAIRS_A_QUESTION,
  texts: BN_TEXTS,
};
const BLS_PAIRING: Product = {
  begin: WORK.pairingBegin,
  work: WORK.pairs,
  end: WORK.pairingEnd,
  itemBytes: BLS_PAIR_BYTES,
  itemsAQuestion: PAIRS_A_QUESTION,
  texts: BLS_TEXTS,
};

function exactly(length: number, work: number): Run {
  return (input) => (input.length === length ? told(BLS_TEXTS, native(work, input)) : INVALID_LENGTH);
}

function products(itemBytes: number, works: Pick<Product, 'work' | 'end'>): Run {
  const product: Product = {
    ...works,
    begin: WORK.productsBegin,
    itemBytes,
    itemsAQuestion: PRODUCTS_A_QUESTION,
    texts: BLS_TEXTS,
  };
  return (input, interrupt) => {
    if (input.length === 0 || input.length % itemBytes !== 0) return INVALID_LENGTH;
    return inParts(product, input, interrupt);
  };
}

/** Who asks between parts may throw: the next product begins anew. */
function inParts(product: Product, input: Uint8Array, interrupt: Interrupt): Uint8Array | string {
  const { begin, work, end, itemBytes, itemsAQuestion, texts } = product;
  native(begin);
  const partBytes = itemsAQuestion * itemBytes;
  for (let at = 0; at < input.length; at += partBytes) {
    if (at > 0) interrupt(0);
    const answer = native(work, input.subarray(at, at + partBytes));
    if (typeof answer === 'number') return told(texts, answer);
  }
  return told(texts, native(end));
}

function isOne(answer: Uint8Array | string): Uint8Array | string {
  if (typeof answer === 'string') return answer;
  return answer[0] === 1 ? wordOfOne() : NO.slice();
}

function told(texts: Texts, answer: Uint8Array | number): Uint8Array | string {
  return typeof answer === 'number' ? texts[answer]! : answer;
}

/** Whether the 160 bytes are a digest and a signature of it, by the faster code that there is. */
export const isSignedOnP256 = hasNative ? isNativelySigned : isP256Signature;

function isNativelySigned(input: Uint8Array): boolean {
  return input.length === P256_BYTES && isBytes(native(WORK.p256, input));
}

function isBytes(answer: Uint8Array | number): boolean {
  return typeof answer !== 'number';
}
