import assert from 'node:assert';
import { verifyFlatKv } from '../../node/src/state/flatKv/index.ts';
import type { RangeReads } from '../../node/src/state/view/index.ts';

interface Expected {
  readonly stores: readonly string[];
  readonly state: RangeReads & { readonly version: number };
}

/** Every row of a closed FlatKV, and every sum over them, against the state of the same version. */
export async function assertFlatKv(directory: string, { stores, state }: Expected): Promise<void> {
  const { difference } = await verifyFlatKv({ directory, stores, version: state.version }, state);
  assert.equal(difference, undefined, `FlatKV at ${state.version}: ${JSON.stringify(difference)}`);
}
