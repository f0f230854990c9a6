import { rpcMethod } from '../rpcMethod.ts';

/** The embedded engine has no peers. */
export const peerCount = rpcMethod({ name: 'net_peerCount', params: [], handle: () => '0x0' });
