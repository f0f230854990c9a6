import { CodedError } from '@chain/platform';
import { concatBytes, utf8 } from '../../primitives/index.ts';
import { bytesField, ProtoFields } from './protoFields.ts';

/**
 * What lies beside a snapshot's chunks and is no part of the state-sync stream: what CometBFT gets from its light
 * client, and a node with the embedded engine from nobody else.
 */
export interface RestorePoint {
  readonly chainId: string;
  /** After the snapshot's height; the next header carries it. */
  readonly appHash: Uint8Array;
  /** The encoded record of the block of that height, which the next header names; empty when it was not held. */
  readonly blockRecord: Uint8Array;
}

/** Protobuf: chain id = 1, app hash = 2, block record = 3. */
export function encodeRestorePoint({ chainId, appHash, blockRecord }: RestorePoint): Uint8Array {
  return concatBytes(bytesField(1, utf8(chainId)), bytesField(2, appHash), bytesField(3, blockRecord));
}

/** Throws SNAPSHOT_RESTORE_POINT. */
export function decodeRestorePoint(bytes: Uint8Array): RestorePoint {
  try {
    const fields = new ProtoFields(bytes);
    return {
      chainId: Buffer.from(fields.bytes(1)).toString('utf8'),
      appHash: fields.bytes(2),
      blockRecord: fields.bytes(3),
    };
  } catch (cause) {
    throw new CodedError(
      'SNAPSHOT_RESTORE_POINT',
      'the restore point beside the snapshot is not valid protobuf; export the snapshot again',
      { cause },
    );
  }
}
