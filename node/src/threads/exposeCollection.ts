import { setFlagsFromString } from 'node:v8';

let isExposed = false;

/**
 * Gives the threads that start from now on a `gc`. V8's flags belong to the process, and nothing guards them against
 * threads that read them meanwhile: it is set once, by the main thread, never by a thread for itself.
 */
export function exposeCollection(): void {
  if (isExposed) return;
  isExposed = true;
  setFlagsFromString('--expose-gc');
}
