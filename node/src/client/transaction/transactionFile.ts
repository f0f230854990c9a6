import type { ProtoSchema } from '../../proto/index.ts';
import { clientErrors } from '../clientErrors.ts';

const TX = 'cosmos.tx.v1beta1.Tx';

/** A transaction as `--generate-only` prints it: body, auth_info and signatures. TxRaw and Tx have the same bytes. */
export function transactionJson(raw: Uint8Array, schema: ProtoSchema): unknown {
  return schema.toJson(TX, raw);
}

/** Bytes of such JSON. Throws CLIENT_TRANSACTION_FILE naming `what` was read. */
export function transactionOfJson(text: string, schema: ProtoSchema, what: string): Uint8Array {
  try {
    if (text.trim() === '') throw new SyntaxError('it is empty');
    return schema.fromJson(TX, text);
  } catch (cause) {
    throw clientErrors.file(what, cause);
  }
}
