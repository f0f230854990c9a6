import { parentPort, workerData } from 'node:worker_threads';
import { rpcCall } from '../support/rpcCall.ts';

/** Calls one after another until it is told to stop; then gives the milliseconds of each. */
const { url } = workerData as { readonly url: string };
const times: number[] = [];
let stopped = false;
parentPort!.once('message', () => {
  stopped = true;
});
while (!stopped) {
  const started = performance.now();
  // A node that is gone is told by who loads it.
  if (!(await rpcCall(url, 'eth_blockNumber').catch(() => undefined))) break;
  times.push(performance.now() - started);
}
parentPort!.postMessage(times);
parentPort!.close();
