import { rpcMethod } from '../rpcMethod.ts';

export const listening = rpcMethod({ name: 'net_listening', params: [], handle: () => true });
