import { CodedError } from '@chain/platform';
import { concatAll, concatBytes, readUvarint, utf8, writeUvarint } from '../../../primitives/index.ts';

/** `__metadata` of a snapshot (spec S-5): stores ascending by name. */
export interface MultiTreeMetadata {
  readonly version: number;
  readonly initialVersion: number;
  readonly stores: readonly { readonly name: string; readonly version: number; readonly hash: Uint8Array }[];
}

const varintField = (field: number, value: number): Uint8Array =>
  value === 0 ? new Uint8Array(0) : concatBytes(writeUvarint(field << 3), writeUvarint(value));
const bytesField = (field: number, value: Uint8Array): Uint8Array =>
  concatBytes(writeUvarint((field << 3) | 2), writeUvarint(value.length), value);

export function encodeMultiTreeMetadata(metadata: MultiTreeMetadata): Uint8Array {
  const stores = metadata.stores.map(({ name, version, hash }) => {
    const commitId = concatBytes(varintField(1, version), bytesField(2, hash));
    return bytesField(2, concatBytes(bytesField(1, utf8(name)), bytesField(2, commitId)));
  });
  const commitInfo = concatAll([varintField(1, metadata.version), ...stores]);
  return concatBytes(bytesField(1, commitInfo), varintField(2, metadata.initialVersion));
}

/** Throws STATE_COMMIT_SNAPSHOT_DAMAGED naming `path`. */
export function decodeMultiTreeMetadata(bytes: Uint8Array, path: string): MultiTreeMetadata {
  try {
    const outer = readFields(bytes);
    const commitInfo = readFields(bytesOf(outer, 1));
    return {
      version: numberOf(commitInfo, 1),
      initialVersion: numberOf(outer, 2),
      stores: (commitInfo.get(2) ?? []).map((info) => {
        const fields = readFields(info as Uint8Array);
        const commitId = readFields(bytesOf(fields, 2));
        const name = Buffer.from(bytesOf(fields, 1)).toString('utf8');
        return { name, version: numberOf(commitId, 1), hash: bytesOf(commitId, 2) };
      }),
    };
  } catch (cause) {
    throw new CodedError(
      'STATE_COMMIT_SNAPSHOT_DAMAGED',
      `snapshot file ${path} is not valid metadata; restore it from a backup or state-sync`,
      { fields: { path }, cause },
    );
  }
}

type Fields = Map<number, (number | Uint8Array)[]>;

function readFields(bytes: Uint8Array): Fields {
  const fields: Fields = new Map();
  for (let offset = 0; offset < bytes.length; ) {
    const [tag, afterTag] = readUvarint(bytes, offset);
    const [value, next] = readUvarint(bytes, afterTag);
    const isBytes = (tag & 7n) === 2n;
    const end = isBytes ? next + Number(value) : next;
    if (end > bytes.length || (!isBytes && (tag & 7n) !== 0n)) {
      throw new CodedError('STATE_COMMIT_METADATA_INVALID', `no valid field at byte ${offset}`);
    }
    const field = Number(tag >> 3n);
    fields.set(field, [...(fields.get(field) ?? []), isBytes ? bytes.subarray(next, end) : Number(value)]);
    offset = end;
  }
  return fields;
}

const numberOf = (fields: Fields, field: number): number =>
  (fields.get(field)?.[0] as number | undefined) ?? 0;
const bytesOf = (fields: Fields, field: number): Uint8Array =>
  (fields.get(field)?.[0] as Uint8Array | undefined) ?? new Uint8Array(0);
