import { param } from '../codec/codec.ts';
import { hashCodec } from '../codec/hexCodecs.ts';
import { RPC_CODE, serverError } from '../rpcError.ts';
import { type RpcMethod, rpcMethod } from '../rpcMethod.ts';
import { STRING } from '../schema/valueSchemas.ts';

/** Why a transaction failed, as the EVM says it (spec G-9). */
export const errorQueries = (namespace: 'chain' | 'eth'): readonly RpcMethod[] => [
  rpcMethod({
    name: `${namespace}_getTransactionErrorByHash`,
    summary: 'Why a transaction failed; empty when it did not, or is unknown',
    params: [param('hash', hashCodec)],
    result: STRING,
    uses: ['history'],
    handle: ({ history }, [hash]) => history.transactionByHash(hash)?.receipt.vmError ?? '',
  }),
  rpcMethod({
    name: `${namespace}_getVMError`,
    summary: 'Why a transaction failed; empty when it did not',
    params: [param('hash', hashCodec)],
    result: STRING,
    errors: [{ code: RPC_CODE.server, message: 'receipt not found' }],
    uses: ['history'],
    handle: ({ history }, [hash]) => {
      const found = history.transactionByHash(hash);
      if (!found) throw serverError('receipt not found');
      return found.receipt.vmError;
    },
  }),
];
