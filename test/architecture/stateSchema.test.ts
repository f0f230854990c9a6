import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  ACCOUNT_KEY_BYTES,
  EVM_PREFIX,
  evmFamilyOf,
  placementOf,
  STORAGE_KEY_BYTES,
  STORE_NAMES,
} from '../../node/src/state/schema/index.ts';
import { trackedFiles } from '../support/trackedFiles.ts';

const OWNER = 'node/src/state/schema/';
const NAMES = STORE_NAMES.join('|');
/** Each is a way to name a store by its text. */
const LITERALS: readonly RegExp[] = [
  new RegExp(`\\b(STORE|[A-Z]+_STORE|EVM) = '(${NAMES})'`),
  new RegExp(`\\.(get|has|set|delete|deletePrefix|iterate)\\('(${NAMES})',`),
  new RegExp(`\\bstore: '(${NAMES})'`),
  new RegExp(`\\bstore [!=]== '(${NAMES})'`),
];

function literalIn(source: string): string | undefined {
  return LITERALS.map((pattern) => pattern.exec(source)?.[0]).find((found) => found !== undefined);
}

describe("the state's schema", () => {
  it('names every store: no other file of the node does by its text', () => {
    const isOther = (path: string): boolean =>
      path.startsWith('node/src/') && !path.startsWith(OWNER) && !/\.test\.ts$|ixture|ompliance/.test(path);
    const found = trackedFiles()
      .filter(isOther)
      .flatMap((path) => literalIn(readFileSync(path, 'utf8')) ?? []);
    expect(found).toEqual([]);
  });

  it.each([
    "const STORE = 'evm';",
    "export const BANK_STORE = 'bank';",
    "overlay.get('acc', key)",
    "{ store: 'staking', key }",
    "if (store !== 'evm') return;",
  ])('the gate names a planted text: %s', (planted) => expect(literalIn(planted)).toBeDefined());

  it('lists the stores ascending, each once', () => {
    expect(STORE_NAMES).toEqual([...new Set(STORE_NAMES)].sort());
  });

  it('places each key of the EVM by its first byte and exact length, and all else in the base', () => {
    const key = (prefix: number, length: number): Uint8Array => new Uint8Array(length).fill(prefix, 0, 1);
    const families = new Map([['nonce', 'n'] as const, ['storage', 's'] as const, ['legacy', 'l'] as const]);
    const layout = { base: 'base', evm: families };
    expect(placementOf(layout, 'evm', key(EVM_PREFIX.nonce, ACCOUNT_KEY_BYTES))).toBe('n');
    expect(placementOf(layout, 'evm', key(EVM_PREFIX.storage, STORAGE_KEY_BYTES))).toBe('s');
    expect(placementOf(layout, 'evm', key(EVM_PREFIX.storage, ACCOUNT_KEY_BYTES))).toBe('l');
    expect(placementOf(layout, 'bank', key(EVM_PREFIX.nonce, ACCOUNT_KEY_BYTES))).toBe('base');
    expect(placementOf({ base: 'base' }, 'evm', key(EVM_PREFIX.nonce, ACCOUNT_KEY_BYTES))).toBe('base');
    expect(evmFamilyOf(key(EVM_PREFIX.code, ACCOUNT_KEY_BYTES))).toBe('code');
    expect(evmFamilyOf(key(EVM_PREFIX.codeHash, ACCOUNT_KEY_BYTES))).toBe('codehash');
  });
});
