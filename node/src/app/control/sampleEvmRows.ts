import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SampledRow } from '../../migrate/index.ts';
import { bytesToHex } from '../../primitives/index.ts';
import { EVM_PREFIX, STORE } from '../../state/schema/index.ts';
import type { State } from '../openState.ts';

/** First bytes of the keys that hold accounts, code and storage (more for storage, which has most rows). */
const { chainAddress, storage, code, codeHash, nonce } = EVM_PREFIX;
const FAMILIES = [chainAddress, storage, storage, storage, code, codeHash, nonce];
const ADDRESS_BYTES = 20;
/** Between two turns of the loop: a block must not wait. */
const PROBES_A_TURN = 25;

/**
 * So many rows of the EVM state: keys as SC has them now, chosen at random over accounts and over the slots of each,
 * with the values that SS has at `height` (empty where it has none). All rows when there are no more.
 */
export async function sampleEvmRows(
  { stateCommit, stateStore }: Pick<State, 'stateCommit' | 'stateStore'>,
  { height, count }: { readonly height: number; readonly count: number },
): Promise<SampledRow[]> {
  const keys = firstKeys(stateCommit, count + 1);
  if (keys.size > count) {
    keys.clear();
    for (let probe = 0; keys.size < count && probe < 4 * count; probe++) {
      const key = randomKey(stateCommit, FAMILIES[probe % FAMILIES.length]!);
      if (key) keys.set(bytesToHex(key), key);
      if (probe % PROBES_A_TURN === 0) await nextTurn();
    }
  }
  return [...keys].map(([hex, key]) => ({
    key: hex,
    value: bytesToHex(stateStore.get(STORE.evm, key, height) ?? new Uint8Array(0)),
  }));
}

type Trees = Pick<State['stateCommit'], 'iterate'>;

function firstKeys(trees: Trees, count: number): Map<string, Uint8Array> {
  const keys = new Map<string, Uint8Array>();
  for (const [key] of trees.iterate(STORE.evm)) {
    if (keys.size === count) break;
    keys.set(bytesToHex(key), key);
  }
  return keys;
}

/** The first key behind a random address; of a contract, behind a random slot of it. */
function randomKey(trees: Trees, family: number): Uint8Array | undefined {
  const found = nextKey(trees, Uint8Array.of(family, ...randomBytes(ADDRESS_BYTES)));
  if (found?.[0] !== storage) return found;
  const contract = found.subarray(0, 1 + ADDRESS_BYTES);
  return nextKey(trees, Uint8Array.of(...contract, ...randomBytes(32))) ?? found;
}

function nextKey(trees: Trees, start: Uint8Array): Uint8Array | undefined {
  for (const [key] of trees.iterate(STORE.evm, { start })) return key;
  return undefined;
}
