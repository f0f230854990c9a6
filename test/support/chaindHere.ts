import { Readable } from 'node:stream';
import { Serial } from '@chain/platform';
import { vi } from 'vitest';
import { run } from '../../node/src/cli/index.ts';
import type { Outcome } from './chaind.ts';

interface Surroundings {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Output, standard input and environment are the process's own while a command runs: one after another. */
const commands = new Serial();

/** Runs a command of the program in this process, which saves the start of another. */
export function chaindHere(args: readonly string[], surroundings: Surroundings = {}): Promise<Outcome> {
  return commands.run(() => runHere(args, surroundings));
}

async function runHere(args: readonly string[], { input = '', env = {} }: Surroundings): Promise<Outcome> {
  const out: string[] = [];
  const err: string[] = [];
  const into = (chunks: string[]) => (chunk: unknown) => chunks.push(String(chunk)) > 0;
  const line = (chunks: string[]) => (text: unknown) => void chunks.push(`${String(text)}\n`);
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(into(out)),
    vi.spyOn(process.stderr, 'write').mockImplementation(into(err)),
    vi.spyOn(console, 'log').mockImplementation(line(out)),
    vi.spyOn(console, 'error').mockImplementation(line(err)),
    vi.spyOn(process, 'stdin', 'get').mockReturnValue(Readable.from([input]) as typeof process.stdin),
  ];
  const { env: before, exitCode } = process;
  process.env = { ...before, ...env };
  process.exitCode = undefined;
  try {
    return { code: await run(args), out: out.join(''), err: err.join('') };
  } finally {
    process.env = before;
    process.exitCode = exitCode;
    for (const spy of spies) spy.mockRestore();
  }
}
