import { RPC_CODE, RpcError } from '../rpcError.ts';

/** Rejects with −32002 when `work` takes longer; the work itself goes on and its outcome is dropped. */
export function withinTime<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(timedOut()), milliseconds);
    const settle = (): void => clearTimeout(timer);
    work.finally(settle).then(resolve, reject);
  });
}

export function timedOut(): RpcError {
  return new RpcError(RPC_CODE.timeout, 'request timed out');
}
