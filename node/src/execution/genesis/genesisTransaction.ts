import { isCodedError } from '@chain/platform';
import { AuthInfo, Tx, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx';
import { decodeLedgerTransaction } from '../../ledger/index.ts';
import type { ProtoSchema } from '../../proto/index.ts';
import { genesisError } from './genesisFields.ts';

const CREATE_VALIDATOR = '/cosmos.staking.v1beta1.MsgCreateValidator';

/** A transaction of `gen_txs`: an object as the SDK writes it, or base64 of its `TxRaw`. */
export function parseGenesisTransaction(value: unknown, path: string, schema: () => ProtoSchema): Uint8Array {
  const raw = typeof value === 'string' ? rawOfBase64(value, path) : rawOfJson(value, path, schema);
  const { messages } = orInvalid(() => decodeLedgerTransaction(raw), { value, path });
  if (messages.length !== 1 || messages[0]!.typeUrl !== CREATE_VALIDATOR) {
    const types = messages.map(({ typeUrl }) => typeUrl).join(', ');
    throw genesisError(path, types, 'a transaction of one MsgCreateValidator');
  }
  return raw;
}

function rawOfBase64(text: string, path: string): Uint8Array {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text) throw genesisError(path, text, 'base64 of a TxRaw, or JSON of a Tx');
  return bytes;
}

function rawOfJson(value: unknown, path: string, schema: () => ProtoSchema): Uint8Array {
  const bytes = orInvalid(() => schema().fromJson('cosmos.tx.v1beta1.Tx', JSON.stringify(value)), {
    value,
    path,
  });
  const { body, authInfo, signatures } = Tx.decode(bytes);
  return TxRaw.encode({
    bodyBytes: TxBody.encode(body ?? TxBody.fromPartial({})).finish(),
    authInfoBytes: AuthInfo.encode(authInfo ?? AuthInfo.fromPartial({})).finish(),
    signatures,
  }).finish();
}

function orInvalid<T>(read: () => T, { value, path }: { readonly value: unknown; readonly path: string }): T {
  try {
    return read();
  } catch (cause) {
    if (!isCodedError(cause)) throw cause;
    throw genesisError(path, value, `a signed transaction (${cause.message})`);
  }
}
