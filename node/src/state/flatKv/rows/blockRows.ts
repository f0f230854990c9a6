import { bytesOfMapKey, mapKeyOf } from '../../../primitives/index.ts';
import type { BlockChanges, KeyChange } from '../../../types/index.ts';
import {
  DATABASES,
  type DatabaseName,
  kindOf,
  physicalKeyOf,
  type RowKind,
  requireStoreName,
} from './physicalKey.ts';
import {
  type AccountWrite,
  mergeAccount,
  requireValue,
  singleRow,
  ZERO_HASH,
  ZERO_NONCE,
} from './rowValue.ts';

/** A row to write: what it becomes follows from what it was. `undefined` = no row. */
export interface RowWrite {
  readonly key: Uint8Array;
  readonly next: (before: Uint8Array | undefined) => Uint8Array | undefined;
}

/** Rows of one version that are one database's, by module. */
export interface DatabaseRows {
  readonly version: number;
  readonly modules: ReadonlyMap<string, readonly RowWrite[]>;
}

/** Rows by database and module. */
export type BlockRows = Readonly<Record<DatabaseName, ReadonlyMap<string, readonly RowWrite[]>>>;

/** Where a change set goes. Throws FLATKV_VALUE_LENGTH, FLATKV_STORE_NAME; nothing is written before. */
export function blockRows({ version, stores }: BlockChanges): BlockRows {
  const rows = Object.fromEntries(DATABASES.map((name) => [name, new Map<string, RowWrite[]>()])) as Record<
    DatabaseName,
    Map<string, RowWrite[]>
  >;
  for (const { store, changes } of stores) {
    requireStoreName(store);
    const accounts = new Map<string, AccountWrite>();
    for (const change of changes) {
      const kind = kindOf(store, change.key);
      requireValue(kind, change.key, change.value);
      if (kind === 'nonce' || kind === 'codeHash') noteAccount(accounts, kind, change);
      else listOf(rows[kind], store).push(singleWrite(kind, store, change, version));
    }
    for (const [address, write] of accounts) {
      const key = physicalKeyOf(store, bytesOfMapKey(address), 'codeHash');
      listOf(rows.account, store).push({ key, next: (before) => mergeAccount(before, write, version) });
    }
  }
  return rows;
}

function singleWrite(kind: RowKind, store: string, { key, value }: KeyChange, version: number): RowWrite {
  const row = singleRow(kind, value, version);
  return { key: physicalKeyOf(store, key, kind), next: () => row };
}

/** Keyed by the code hash's own key, so that both halves of an account meet. */
function noteAccount(accounts: Map<string, AccountWrite>, kind: RowKind, { key, value }: KeyChange): void {
  const address = mapKeyOf(key.subarray(1));
  const id = `\x08${address}`;
  const write = kind === 'nonce' ? { nonce: value ?? ZERO_NONCE } : { codeHash: value ?? ZERO_HASH };
  accounts.set(id, { ...accounts.get(id), ...write });
}

function listOf(modules: Map<string, RowWrite[]>, module: string): RowWrite[] {
  let list = modules.get(module);
  if (!list) {
    list = [];
    modules.set(module, list);
  }
  return list;
}
