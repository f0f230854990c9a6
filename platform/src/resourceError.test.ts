import { expect, it } from 'vitest';
import { CodedError } from './errors.ts';
import { isResourceError } from './resourceError.ts';

function errorOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}

const recurse = (): number => 1 + recurse();
const { Memory, Module, Instance } = (globalThis as never as { WebAssembly: Record<string, never> })
  .WebAssembly as never as {
  Memory: new (size: object) => { grow(pages: number): number };
  Module: new (code: Uint8Array) => object;
  Instance: new (module: object) => { exports: { trap(): void } };
};
/** A module with one function, which is `unreachable`. */
const TRAP = Uint8Array.of(
  0,
  97,
  115,
  109,
  1,
  0,
  0,
  0,
  1,
  4,
  1,
  96,
  0,
  0,
  3,
  2,
  1,
  0,
  7,
  8,
  1,
  4,
  116,
  114,
  97,
  112,
  0,
  0,
  10,
  5,
  1,
  3,
  0,
  0,
  11,
);

it.each<readonly [string, () => unknown]>([
  ['a stack that is full', recurse],
  ['arguments that do not fit on the stack', () => Math.max(...new Array(10_000_000).fill(1))],
  ['a text that is too long', () => 'x'.repeat(2 ** 30)],
  ['a list that is too long', () => new Array(2 ** 32)],
  ['a buffer that cannot be had', () => new ArrayBuffer(2 ** 53 - 1)],
  ['a number that is too large', () => 1n << (1n << 40n)],
  ['a memory that cannot grow', () => new Memory({ initial: 1, maximum: 1 }).grow(1)],
  ['a trap of WebAssembly', () => new Instance(new Module(TRAP)).exports.trap()],
])('knows %s for an error of the machine, however it is wrapped', (_what, work) => {
  const error = errorOf(work);
  expect(isResourceError(error)).toBe(true);
  const wrapped = new CodedError('LEDGER_REFUSED', 'tx parse error', { cause: error });
  expect(isResourceError(new Error('again', { cause: wrapped }))).toBe(true);
});

it.each<readonly [string, () => unknown]>([
  ['bytes that end too early', () => new DataView(new ArrayBuffer(1)).getUint32(0)],
  ['a text that is no JSON', () => JSON.parse('{')],
  ['a text that is no number', () => BigInt('x')],
  ['a division by zero', () => 1n / 0n],
  ['a member of nothing', () => (undefined as never as { x: 1 }).x],
])('takes %s for what it is: a matter of the bytes', (_what, work) => {
  expect(isResourceError(errorOf(work))).toBe(false);
});
