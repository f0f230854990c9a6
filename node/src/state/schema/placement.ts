import { type EvmKeyKind, evmKeyKind } from './evmKeys.ts';
import { STORE } from './stores.ts';

/** The databases of the EVM SS with `evm-ss-separate-dbs`. */
export const EVM_FAMILIES = ['nonce', 'codehash', 'code', 'storage', 'legacy'] as const;
export type EvmFamily = (typeof EVM_FAMILIES)[number];

const FAMILY_OF: Readonly<Record<EvmKeyKind, EvmFamily>> = {
  nonce: 'nonce',
  codeHash: 'codehash',
  code: 'code',
  storage: 'storage',
  other: 'legacy',
};

/** What a layout of SS consists of: no `evm` without the split, one for each family with separate databases. */
export interface Layout<Part> {
  readonly base: Part;
  readonly evm?: Part | ReadonlyMap<EvmFamily, Part> | undefined;
}

/** Whether the split moves the store's keys to the EVM SS. */
export function isSplitOff(store: string): boolean {
  return store === STORE.evm;
}

/** The family of a key of the store `evm`. */
export function evmFamilyOf(key: Uint8Array): EvmFamily {
  return FAMILY_OF[evmKeyKind(key)];
}

/** The one part of a layout that holds a key. There is no fallback: a key that is absent there is absent. */
export function placementOf<Part>({ base, evm }: Layout<Part>, store: string, key: Uint8Array): Part {
  if (evm === undefined || !isSplitOff(store)) return base;
  return evm instanceof Map ? evm.get(evmFamilyOf(key)) : (evm as Part);
}

/** A key among other bytes. */
export interface KeyPlace {
  readonly keyBytes: Uint8Array;
  readonly keyAt: number;
  readonly keyLength: number;
}

/** The same for a key that is not an array of its own. */
export function placementAt<Part>({ base, evm }: Layout<Part>, store: string, place: KeyPlace): Part {
  if (evm === undefined || !isSplitOff(store)) return base;
  const { keyBytes, keyAt, keyLength } = place;
  return evm instanceof Map ? evm.get(FAMILY_OF[evmKeyKind(keyBytes, keyAt, keyLength)]) : (evm as Part);
}

/** All parts of a layout, the base first. */
export function partsOf<Part>({ base, evm }: Layout<Part>): readonly Part[] {
  if (evm === undefined) return [base];
  return [base, ...(evm instanceof Map ? evm.values() : [evm as Part])];
}
