import type { BlockChanges } from '../../../types/index.ts';
import { encodeEntry } from '../../changelog/index.ts';

const NO_RECORD = new Uint8Array(0);

/** A change set as bytes that own their buffer, so that they can be handed to another thread. */
export function payloadOf(changes: BlockChanges): Uint8Array {
  const bytes = encodeEntry({ changes, record: NO_RECORD });
  return bytes.length === bytes.buffer.byteLength ? bytes : bytes.slice();
}
