import type { StartOptions } from '../startOptions.ts';

/** Read by the command line itself, or naming no setting. */
const NO_SETTINGS = ['CHAIND_HOME', 'CHAIND_DEBUG'];

/** Settings that a process was given beside its files: names of settings, and of environment variables. */
export function overridesOf({ flags, environment }: StartOptions): string[] {
  const variables = Object.keys(environment).filter(
    (name) => name.startsWith('CHAIND_') && !NO_SETTINGS.includes(name),
  );
  return [...Object.keys(flags), ...variables];
}
