import { CodedError } from '@chain/platform';
import type { BatchOperation, KeyValueDb } from '../../db/index.ts';
import { bytesToUint64, concatBytes, uint64ToBytes, utf8 } from '../../primitives/index.ts';
import { SUM_BYTES } from './latticeSum.ts';

const VERSION = utf8('_meta/version');
const HASH = utf8('_meta/hash');
const MODULES = { start: utf8('_meta/x:'), end: utf8('_meta/x;') };
const META_PREFIX = utf8('_meta/');

/** Of the rows that one module has in one database. */
export interface ModuleState {
  readonly sum: Uint8Array;
  readonly rows: bigint;
  /** Of keys and values. */
  readonly bytes: bigint;
}

export const EMPTY_MODULE: ModuleState = { sum: new Uint8Array(SUM_BYTES), rows: 0n, bytes: 0n };

export interface DatabaseState {
  /** 0 in a new database. */
  readonly version: number;
  readonly sum: Uint8Array;
  readonly modules: ReadonlyMap<string, ModuleState>;
}

export function isMetaKey(key: Uint8Array): boolean {
  return Buffer.compare(key.subarray(0, META_PREFIX.length), META_PREFIX) === 0;
}

/** Throws FLATKV_META_DAMAGED. */
export async function readState(db: KeyValueDb): Promise<DatabaseState> {
  const version = db.get(VERSION);
  if (!version) return { version: 0, sum: new Uint8Array(SUM_BYTES), modules: new Map() };
  const modules = new Map<string, ModuleState>();
  for await (const [key, value] of db.iterate(MODULES)) {
    const [, module, what] = /^_meta\/x:(.*)\/(hash|stats)$/s.exec(Buffer.from(key).toString('utf8')) ?? [];
    if (module === undefined) throw damaged(key);
    const known = modules.get(module) ?? EMPTY_MODULE;
    modules.set(module, { ...known, ...(what === 'hash' ? { sum: sized(key, value) } : stats(key, value)) });
  }
  return { version: Number(bytesToUint64(version)), sum: sized(HASH, db.get(HASH)), modules };
}

/** The meta rows of a batch that takes a database to `version`: only what changed, but the version always. */
export function metaRows(
  version: number,
  sum: Uint8Array,
  modules: ReadonlyMap<string, ModuleState>,
): BatchOperation[] {
  const put = (key: Uint8Array, value: Uint8Array): BatchOperation => ({ type: 'put', key, value });
  return [
    put(VERSION, uint64ToBytes(BigInt(version))),
    put(HASH, sum),
    ...[...modules].flatMap(([module, state]) => [
      put(utf8(`_meta/x:${module}/hash`), state.sum),
      put(
        utf8(`_meta/x:${module}/stats`),
        concatBytes(uint64ToBytes(state.rows), uint64ToBytes(state.bytes)),
      ),
    ]),
  ];
}

function stats(key: Uint8Array, value: Uint8Array): { rows: bigint; bytes: bigint } {
  if (value.length !== 16) throw damaged(key);
  return { rows: bytesToUint64(value.subarray(0, 8)), bytes: bytesToUint64(value.subarray(8)) };
}

function sized(key: Uint8Array, value: Uint8Array | undefined): Uint8Array {
  if (value?.length !== SUM_BYTES) throw damaged(key);
  return value;
}

function damaged(key: Uint8Array): CodedError {
  const row = Buffer.from(key).toString('utf8');
  return new CodedError(
    'FLATKV_META_DAMAGED',
    `FlatKV row "${row}" is missing or has a wrong shape; remove data/flatkv, the next start rebuilds it`,
    { fields: { row } },
  );
}
