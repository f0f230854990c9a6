import { readStorage } from '../../evm/index.ts';
import { padLeft, toHexData } from '../../primitives/index.ts';
import { asState } from '../blocks/blockResolvers.ts';
import { blockIdCodec } from '../codec/blockId.ts';
import { optionalParam, param } from '../codec/codec.ts';
import { addressCodec } from '../codec/hexCodecs.ts';
import { storageKeyCodec } from '../codec/storageKey.ts';
import { BAD_STORAGE_KEY } from '../methodErrors.ts';
import { resolved, rpcMethod } from '../rpcMethod.ts';
import { HASH } from '../schema/valueSchemas.ts';

/** A storage word, 32 bytes; zero when never written. */
export const getStorageAt = rpcMethod({
  name: 'eth_getStorageAt',
  summary: 'Storage word of a contract; zero when never written',
  params: [
    param('address', addressCodec),
    param('slot', storageKeyCodec),
    resolved(optionalParam('block', blockIdCodec, 'latest' as const), asState),
  ],
  result: HASH,
  needs: ['state'],
  errors: [BAD_STORAGE_KEY],
  handle: (_deps, [address, slot, state]) => toHexData(padLeft(readStorage(state, address, slot), 32)),
});
