import { throwIfResource } from '@chain/platform';
import { ledgerError } from './ledgerError.ts';
import type { MessageCodec } from './protoRow.ts';

/**
 * Decodes a message from a transaction. Throws LEDGER_REFUSED, tx parse error, with a text that does not depend on the
 * library's; a full stack or heap is nobody's refusal and is thrown as it is.
 */
export function decodeMessage<T>(codec: MessageCodec<T>, bytes: Uint8Array, name: string): T {
  try {
    return codec.decode(bytes);
  } catch (cause) {
    throwIfResource(cause);
    throw ledgerError('decode', `the bytes are no ${name}`, cause);
  }
}
