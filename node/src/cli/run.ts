import { isCodedError } from '@chain/platform';
import { CommanderError } from 'commander';
import { createProgram } from './program.ts';

/** The exit code. Rejects never: what went wrong has been printed. */
export async function run(args: readonly string[]): Promise<number> {
  const program = createProgram();
  try {
    await program.parseAsync([...args], { from: 'user' });
    return process.exitCode === undefined ? 0 : Number(process.exitCode);
  } catch (error) {
    // Commander has printed its own; help and version come through here with code 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    printError(error);
    return isCodedError(error, 'CLI_USAGE') ? 2 : 1;
  }
}

function printError(error: unknown): void {
  if (isCodedError(error)) {
    for (const line of error.message.split('\n')) console.error(`error: ${line}`);
    return;
  }
  // Not foreseen, so the place matters; the message alone stays one line.
  const { message, stack } = error instanceof Error ? error : { message: String(error), stack: undefined };
  console.error(`error: ${message.split('\n')[0]}`);
  if (process.env.CHAIND_DEBUG !== undefined && stack) console.error(stack);
}
