import { readStorage } from '../../evm/index.ts';
import { padLeft, toHexData } from '../../primitives/index.ts';
import { asState } from '../blocks/blockResolvers.ts';
import { blockIdCodec } from '../codec/blockId.ts';
import { optionalParam, param } from '../codec/codec.ts';
import { storageRequestsCodec } from '../codec/storageKey.ts';
import { BAD_PROOF_KEYS } from '../methodErrors.ts';
import { RPC_CODE } from '../rpcError.ts';
import { resolved, rpcMethod } from '../rpcMethod.ts';
import { arrayOf, mapOf } from '../schema/jsonSchema.ts';
import { HASH } from '../schema/valueSchemas.ts';

/** Storage words of several contracts, under the addresses as they were written. */
export const getStorageValues = rpcMethod({
  name: 'eth_getStorageValues',
  summary: 'Storage words of several contracts at one block; zero when never written',
  params: [
    param('requests', storageRequestsCodec),
    resolved(optionalParam('block', blockIdCodec, 'latest' as const), asState),
  ],
  result: mapOf('^0[xX][0-9a-fA-F]{40}$', arrayOf(HASH)),
  needs: ['state'],
  errors: [{ code: RPC_CODE.invalidParams, message: 'empty request' }, ...BAD_PROOF_KEYS],
  handle: (_deps, [requests, state]) =>
    Object.fromEntries(
      requests.map(({ name, address, slots }) => [
        name,
        slots.map((slot) => toHexData(padLeft(readStorage(state, address, slot), 32))),
      ]),
    ),
});
