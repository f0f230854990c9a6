import { rpcMethod } from '../rpcMethod.ts';

/** The version of Ethereum's wire protocol that tools expect; this chain has a protocol of its own. */
export const protocolVersion = rpcMethod({ name: 'eth_protocolVersion', params: [], handle: () => '0x41' });
