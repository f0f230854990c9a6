import type { KeyChange, StoreChanges } from '../../types/index.ts';
import { FieldReader } from '../envelope/fieldReader.ts';
import { ProtobufWriter } from '../envelope/protobuf.ts';

const DELETED = 1n;

/** A message for each row: store, key, then the value or a mark that it is deleted. */
export function* encodeRows(stores: readonly StoreChanges[]): Iterable<Uint8Array> {
  for (const { store, changes } of stores) {
    for (const { key, value } of changes) {
      const writer = new ProtobufWriter().string(1, store).bytes(2, key);
      yield (value === null ? writer.varint(4, DELETED) : writer.bytes(3, value)).finish();
    }
  }
}

/** Throws EVM_INVALID_ENVELOPE. */
export function decodeRows(rows: readonly Uint8Array[]): StoreChanges[] {
  const stores = new Map<string, KeyChange[]>();
  for (const row of rows) {
    const fields = new FieldReader(row, 'row');
    const store = fields.text(1);
    const changes = stores.get(store) ?? [];
    stores.set(store, changes);
    changes.push({ key: fields.bytes(2), value: fields.uint64(4) === DELETED ? null : fields.bytes(3) });
  }
  return [...stores].map(([store, changes]) => ({ store, changes }));
}
