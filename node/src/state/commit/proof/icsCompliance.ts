import { iavlSpec, ics23, tendermintSpec, verifyMembership, verifyNonMembership } from '@confio/ics23';
import { expect } from 'vitest';
import type { Proven } from './provableState.ts';

const utf8 = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text));

/** The tree's root in the proof of the step to the app hash. */
export function storeRootOf({ ops }: Proven): Uint8Array {
  return ics23.CommitmentProof.decode(ops[1]!.data).exist!.value!;
}

/** Both steps by the independent library: key and value, or absence, in the store; the store in the app hash. */
export function isProven(
  proven: Proven,
  { store, key, appHash }: { readonly store: string; readonly key: Uint8Array; readonly appHash: Uint8Array },
): boolean {
  const [iavl, simple] = proven.ops;
  expect([iavl!.type, simple!.type, proven.ops.length]).toEqual(['ics23:iavl', 'ics23:simple', 2]);
  expect(Buffer.from(iavl!.key)).toEqual(Buffer.from(key));
  expect(Buffer.from(simple!.key).toString()).toBe(store);
  const inStore = ics23.CommitmentProof.decode(iavl!.data);
  const inAppHash = ics23.CommitmentProof.decode(simple!.data);
  const root = storeRootOf(proven);
  const { value } = proven;
  return (
    (value === undefined
      ? verifyNonMembership(inStore, iavlSpec, root, key)
      : verifyMembership(inStore, iavlSpec, root, key, value)) &&
    verifyMembership(inAppHash, tendermintSpec, appHash, utf8(store), root)
  );
}
