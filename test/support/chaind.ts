import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/** How a run of the program ended. */
export interface Outcome {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** `npm run test:soak` waits longer. */
const TIME_LIMIT_MS = Number(process.env.PROGRAM_PATIENCE_MS ?? 120_000);

/** Runs the real program to its end; one that does not end is killed, and then `code` is null. */
export async function chaind(...args: readonly string[]): Promise<Outcome> {
  const child = spawn(process.execPath, ['node/bin/chaind.js', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TIME_LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  const exit = new Promise<number | null>((ended) => child.on('close', ended));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await exit, out, err };
}

/** What a person reads on standard error: all but the records of the log. */
export function complaints({ err }: Outcome): string[] {
  return err.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
}

/** The JSON records in what a node printed. */
export function logRecords(printed: string): Record<string, unknown>[] {
  return printed
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
