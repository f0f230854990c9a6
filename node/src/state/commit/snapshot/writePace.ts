export interface PaceDeps {
  /** Milliseconds. */
  readonly now: () => number;
  readonly sleep: (ms: number) => void;
}

/** Told of each write before it, sleeps so that the average stays below the rate; 0 is no limit. */
export function createWritePace(
  bytesPerSecond: number,
  { now, sleep }: PaceDeps = { now: () => performance.now(), sleep: sleepHere },
): (bytes: number) => void {
  if (bytesPerSecond === 0) return () => undefined;
  const started = now();
  let total = 0;
  return (bytes) => {
    const ahead = (total / bytesPerSecond) * 1000 - (now() - started);
    total += bytes;
    if (ahead > 1) sleep(ahead);
  };
}

/** Holds its thread, which has nothing else to do. */
function sleepHere(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
