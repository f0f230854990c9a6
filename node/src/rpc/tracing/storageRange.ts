import { bytesToHex, concatBytes, keccak256, prefixEnd, toHexData } from '../../primitives/index.ts';
import { EVM_PREFIX, STORE } from '../../state/schema/index.ts';
import type { KeyChange } from '../../types/index.ts';
import type { RpcDeps } from '../rpcDeps.ts';
import type { RpcCall } from '../rpcMethod.ts';
import type { TraceBase } from './traceRunner.ts';

const MAX_RESULTS = 10_000;
const SLOT_AT = 21;
const SLOT_BYTES = 32;

export interface RangeWish {
  /** The state before the block holds, with what `txs` of it change. */
  readonly base: TraceBase;
  readonly txs: readonly Uint8Array[];
  readonly address: Uint8Array;
  /** First slot; shorter ones are continued with zeros. */
  readonly startKey: Uint8Array;
  readonly maxResult: number;
}

/** Slots in ascending order. Throws STORE_ITERATION_UNSUPPORTED when the EVM store is split off. */
export async function storageRange(
  deps: Pick<RpcDeps, 'stateStore' | 'traces'>,
  wish: RangeWish,
  call: Pick<RpcCall, 'signal'>,
) {
  const { base, address, startKey, txs } = wish;
  const prefix = concatBytes(Uint8Array.of(EVM_PREFIX.storage), address);
  const first = Buffer.alloc(SLOT_BYTES);
  first.set(startKey);
  const start = concatBytes(prefix, first);
  const range = { start, end: prefixEnd(prefix)! };
  const rows = deps.stateStore.iterate(STORE.evm, base.version, range);
  const replayed = txs.length === 0 ? [] : await deps.traces.replay(base, txs, call);
  const added = base.changes?.find(({ store }) => store === STORE.evm)?.changes ?? [];
  const changed = changesWithin([...added, ...replayed], range);
  const most = Math.min(wish.maxResult, MAX_RESULTS);
  const found = await collect(rows, changed, most + 1);
  const next = found[most]?.[0];
  return {
    storage: Object.fromEntries(
      found.slice(0, most).map(([slot, value]) => [hashOf(slot), shown(slot, value)]),
    ),
    nextKey: next === undefined ? null : `0x${next}`,
  };
}

function hashOf(slot: string): string {
  return toHexData(keccak256(Buffer.from(slot, 'hex')));
}

function shown(slot: string, value: Uint8Array) {
  return { key: `0x${slot}`, value: toHexData(value) };
}

/** Slots that were written, in hex; null where one was cleared. */
function changesWithin(
  rows: readonly KeyChange[],
  { start, end }: { readonly start: Uint8Array; readonly end: Uint8Array },
): Map<string, Uint8Array | null> {
  const within = rows.filter(({ key }) => Buffer.compare(key, start) >= 0 && Buffer.compare(key, end) < 0);
  return new Map(within.map(({ key, value }) => [bytesToHex(key.subarray(SLOT_AT)), value]));
}

async function collect(
  rows: AsyncIterable<readonly [key: Uint8Array, value: Uint8Array]>,
  changed: ReadonlyMap<string, Uint8Array | null>,
  most: number,
): Promise<[slot: string, value: Uint8Array][]> {
  const merged = new Map(changed);
  let read = 0;
  let lastRead: string | undefined;
  for await (const [key, value] of rows) {
    const slot = bytesToHex(key.subarray(SLOT_AT));
    lastRead = slot;
    if (!merged.has(slot)) merged.set(slot, value);
    // Slots that were cleared since take none of the places.
    if (changed.get(slot) !== null && ++read >= most) break;
  }
  const isFull = read >= most;
  return [...merged]
    .filter((row): row is [string, Uint8Array] => row[1] !== null)
    .filter(([slot]) => !isFull || slot <= lastRead!)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, most);
}

/** The first key behind all that begin with `prefix`. */
