import { RPC_CODE, RpcError } from '../rpcError.ts';

/** Rejects with −32002 when `work` takes longer; `onLate` tells the work, whose outcome is dropped. */
export function withinTime<T>(work: Promise<T>, milliseconds: number, onLate: () => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(timedOut());
      onLate();
    }, milliseconds);
    const settle = (): void => clearTimeout(timer);
    work.finally(settle).then(resolve, reject);
  });
}

export function timedOut(): RpcError {
  return new RpcError(RPC_CODE.timeout, 'request timed out');
}
