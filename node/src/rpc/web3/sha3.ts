import { keccak256, toHexData } from '../../primitives/index.ts';
import { param } from '../codec/codec.ts';
import { dataCodec } from '../codec/hexCodecs.ts';
import { rpcMethod } from '../rpcMethod.ts';

/** Keccak-256, whatever the name says. */
export const sha3 = rpcMethod({
  name: 'web3_sha3',
  params: [param('data', dataCodec)],
  handle: (_deps, [data]) => toHexData(keccak256(data)),
});
