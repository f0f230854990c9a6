import { readBalanceWei } from '../../ledger/index.ts';
import { toHexQuantity } from '../../primitives/index.ts';
import { asState } from '../blocks/blockResolvers.ts';
import { blockIdCodec } from '../codec/blockId.ts';
import { optionalParam, param } from '../codec/codec.ts';
import { addressCodec } from '../codec/hexCodecs.ts';
import { resolved, rpcMethod } from '../rpcMethod.ts';
import { QUANTITY } from '../schema/valueSchemas.ts';

/** Wei: whole units times 10^12 plus the wei remainder (spec L-5). */
export const getBalance = rpcMethod({
  name: 'eth_getBalance',
  summary: 'Balance of an account in wei',
  params: [
    param('address', addressCodec),
    resolved(optionalParam('block', blockIdCodec, 'latest' as const), asState),
  ],
  result: QUANTITY,
  needs: ['state'],
  handle: (_deps, [address, state]) => toHexQuantity(readBalanceWei(state, address)),
});
