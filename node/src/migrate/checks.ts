import { isCodedError } from '@chain/platform';

/** One thing that was looked at. */
export interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
}

/** A check is its name and what to do: it gives what it found, or throws why it is refused. */
export type CheckRun = readonly [name: string, run: () => string | Promise<string>];

/** Runs all of them, one after the other, also behind one that fails: a person sees everything at once. */
export async function runChecks(runs: readonly CheckRun[]): Promise<Check[]> {
  const checks: Check[] = [];
  for (const [name, run] of runs) {
    try {
      checks.push({ name, ok: true, detail: await run() });
    } catch (error) {
      if (!(isCodedError(error) || error instanceof Refused)) throw error;
      checks.push({ name, ok: false, detail: error.message });
    }
  }
  return checks;
}

/** Why a check fails, and what to do. */
export class Refused extends Error {}

export function refuseWhen(wrong: boolean, message: string): void {
  if (wrong) throw new Refused(message);
}
