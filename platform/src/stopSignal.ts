const STOP_SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Tells once of a signal that asks the process to stop; the one after it ends the process at once, as without this.
 * Gives the way to stop listening.
 */
export function onStopSignal(listener: (signal: NodeJS.Signals) => void): () => void {
  const off = (): void => {
    for (const name of STOP_SIGNALS) process.off(name, stop);
  };
  const stop = (signal: NodeJS.Signals): void => {
    off();
    listener(signal);
  };
  for (const name of STOP_SIGNALS) process.on(name, stop);
  return off;
}
