import { CodedError } from '@chain/platform';
import { concatAll, concatBytes } from '../../primitives/index.ts';
import { bytesField, numberField, ProtoFields } from './protoFields.ts';

/** The one format there is (spec S-10). */
export const SNAPSHOT_FORMAT = 1;
/** Every chunk but the last has exactly so many bytes here; other programs may cut elsewhere, up to the limit. */
export const CHUNK_BYTES = 10_000_000;
export const MAX_CHUNK_BYTES = 16 << 20;
/** Bounds the description's own size: 1 TB of chunks. */
const MAX_CHUNKS = 100_000;
const HASH_BYTES = 32;

/** What peers tell each other of a snapshot: `cosmos.base.snapshots.v1beta1.Snapshot`. */
export interface SnapshotDescription {
  readonly height: number;
  readonly format: number;
  readonly chunks: number;
  /** SHA-256 over the bytes of all chunks. */
  readonly hash: Uint8Array;
  /** SHA-256 of each chunk. */
  readonly chunkHashes: readonly Uint8Array[];
}

/** The message `Metadata`, which ABCI carries beside the other fields. */
export function encodeChunkHashes(chunkHashes: readonly Uint8Array[]): Uint8Array {
  return concatAll(chunkHashes.map((hash) => bytesField(1, hash)));
}

/** Throws SNAPSHOT_DESCRIPTION. */
export function decodeChunkHashes(bytes: Uint8Array): readonly Uint8Array[] {
  return reading(() => new ProtoFields(bytes).all(1));
}

export function encodeDescription(description: SnapshotDescription): Uint8Array {
  const { height, format, chunks, hash, chunkHashes } = description;
  return concatBytes(
    numberField(1, height),
    numberField(2, format),
    numberField(3, chunks),
    bytesField(4, hash),
    bytesField(5, encodeChunkHashes(chunkHashes)),
  );
}

/** Throws SNAPSHOT_DESCRIPTION when the bytes are no such message, or one that contradicts itself. */
export function decodeDescription(bytes: Uint8Array): SnapshotDescription {
  const description = reading(() => {
    const fields = new ProtoFields(bytes);
    return {
      height: fields.number(1),
      format: fields.number(2),
      chunks: fields.number(3),
      hash: fields.bytes(4),
      chunkHashes: decodeChunkHashes(fields.bytes(5)),
    };
  });
  checkDescription(description);
  return description;
}

/**
 * Throws SNAPSHOT_FORMAT for a format that this program does not have, SNAPSHOT_DESCRIPTION for numbers and
 * hashes that contradict each other (spec S-11).
 */
export function checkDescription({ height, format, chunks, hash, chunkHashes }: SnapshotDescription): void {
  if (format !== SNAPSHOT_FORMAT) {
    throw new CodedError(
      'SNAPSHOT_FORMAT',
      `snapshot of height ${height} has format ${format}, this program reads ${SNAPSHOT_FORMAT}; take another one`,
      { fields: { height, format } },
    );
  }
  if (height < 1 || height > 0xffffffff) throw invalid(`height ${height} is out of range`);
  if (chunks < 1 || chunks > MAX_CHUNKS) throw invalid(`${chunks} chunks are out of range`);
  if (chunkHashes.length !== chunks) throw invalid(`${chunks} chunks come with ${chunkHashes.length} hashes`);
  if ([hash, ...chunkHashes].some(({ length }) => length !== HASH_BYTES)) {
    throw invalid(`a hash does not have ${HASH_BYTES} bytes`);
  }
}

function reading<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw invalid('it is not valid protobuf', cause);
  }
}

function invalid(why: string, cause?: unknown): CodedError {
  return new CodedError(
    'SNAPSHOT_DESCRIPTION',
    `the description of a snapshot is refused: ${why}; take another one`,
    {
      cause,
    },
  );
}
