import { bytesToHex, sha256 } from '../../primitives/index.ts';
import { param } from '../codec/codec.ts';
import { hashCodec } from '../codec/hexCodecs.ts';
import { TRANSACTION_NOT_FOUND } from '../methodErrors.ts';
import { serverError } from '../rpcError.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { ref } from '../schema/jsonSchema.ts';

/** The ledger transaction that carries an EVM transaction (spec G-8). Hashes as the ledger prints them. */
export const getLedgerTx = rpcMethod({
  name: 'chain_getLedgerTx',
  summary: 'The ledger transaction that carries an EVM transaction',
  params: [param('hash', hashCodec)],
  result: ref('LedgerTx'),
  errors: [TRANSACTION_NOT_FOUND],
  uses: ['history'],
  handle: ({ history }, [hash]) => {
    const found = history.transactionByHash(hash);
    if (!found) throw serverError('transaction not found');
    const { record, receipt, raw } = found;
    const result = record.results[receipt.ledgerIndex]!;
    return {
      hash: bytesToHex(sha256(raw)).toUpperCase(),
      height: String(receipt.blockNumber),
      index: receipt.ledgerIndex,
      code: result.code,
      codespace: result.codespace,
      log: result.log,
      gasWanted: result.gasWanted.toString(),
      gasUsed: result.gasUsed.toString(),
      events: result.events,
      tx: Buffer.from(raw).toString('base64'),
      raw: bytesToHex(raw),
    };
  },
});
