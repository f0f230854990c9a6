import { rpcMethod } from '../rpcMethod.ts';
import { QUANTITY } from '../schema/valueSchemas.ts';

export const blobBaseFee = rpcMethod({
  name: 'eth_blobBaseFee',
  summary: 'What the BLOBBASEFEE opcode gives: one wei, for the chain takes no blobs',
  params: [],
  result: QUANTITY,
  handle: () => '0x1',
});
