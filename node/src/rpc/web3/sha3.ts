import { keccak256, toHexData } from '../../primitives/index.ts';
import { param } from '../codec/codec.ts';
import { dataCodec } from '../codec/hexCodecs.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { HASH } from '../schema/valueSchemas.ts';

/** Keccak-256, whatever the name says. */
export const sha3 = rpcMethod({
  name: 'web3_sha3',
  summary: 'Keccak-256 of bytes',
  params: [param('data', dataCodec)],
  result: HASH,
  handle: (_deps, [data]) => toHexData(keccak256(data)),
});
