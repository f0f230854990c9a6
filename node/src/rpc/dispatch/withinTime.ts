import { RPC_CODE, RpcError } from '../rpcError.ts';

/** Rejects with −32002 when `work` takes longer; the work itself goes on and its outcome is dropped. */
export function withinTime<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new RpcError(RPC_CODE.timeout, 'request timed out')), milliseconds);
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
