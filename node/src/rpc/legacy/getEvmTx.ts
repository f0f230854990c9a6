import { toHexData } from '../../primitives/index.ts';
import { SYNTHETIC_TYPE } from '../../types/index.ts';
import { param } from '../codec/codec.ts';
import { stringCodec } from '../codec/plainCodecs.ts';
import { TRANSACTION_NOT_FOUND } from '../methodErrors.ts';
import { RPC_CODE, serverError } from '../rpcError.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { HASH } from '../schema/valueSchemas.ts';

/** The hash of the EVM transaction that a ledger transaction carries. */
export const getEvmTx = rpcMethod({
  name: 'chain_getEvmTx',
  summary: 'Hash of the EVM transaction in a ledger transaction, which is named by its hash without 0x',
  params: [param('ledgerHash', stringCodec)],
  result: HASH,
  errors: [
    TRANSACTION_NOT_FOUND,
    { code: RPC_CODE.server, message: 'failed to decode ledger hash: …' },
    { code: RPC_CODE.server, message: 'tx (…) not found' },
  ],
  uses: ['history'],
  handle: ({ history }, [text]) => {
    const found = history.ledgerTransactionByHash(decodeHash(text));
    if (!found) throw serverError(`tx (${text.toUpperCase()}) not found`);
    const receipt = found.record.receipts.find(
      ({ ledgerIndex, type }) => ledgerIndex === found.index && type !== SYNTHETIC_TYPE,
    );
    if (!receipt) throw serverError('transaction not found');
    return toHexData(receipt.transactionHash);
  },
});

function decodeHash(text: string): Uint8Array {
  const at = text.search(/[^0-9a-f]/i);
  if (at >= 0) {
    const point = text.codePointAt(at)!;
    const code = point.toString(16).toUpperCase().padStart(4, '0');
    throw serverError(
      `failed to decode ledger hash: encoding/hex: invalid byte: U+${code} '${String.fromCodePoint(point)}'`,
    );
  }
  if (text.length % 2 === 1) {
    throw serverError('failed to decode ledger hash: encoding/hex: odd length hex string');
  }
  return Buffer.from(text, 'hex');
}
