import { rpcMethod } from '../rpcMethod.ts';
import { QUANTITY } from '../schema/valueSchemas.ts';

/** The version of Ethereum's wire protocol that tools expect; this chain has a protocol of its own. */
export const protocolVersion = rpcMethod({
  name: 'eth_protocolVersion',
  summary: "Version of Ethereum's wire protocol that tools expect; this chain has a protocol of its own",
  params: [],
  result: QUANTITY,
  handle: () => '0x41',
});
