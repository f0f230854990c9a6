import { type ProgramCommand, runProgram } from '@chain/platform/program';
import { runLimiter } from '../app/index.ts';
import { LIMITER, type LimiterSettings } from '../settings/index.ts';

const COMMAND: ProgramCommand<LimiterSettings> = {
  about: "A rate-limiting proxy in front of a node's consensus RPC.",
  runs: 'serve until SIGTERM (the default); SIGHUP or a changed file loads the settings anew',
  examples: [
    'chain-rate-limiter',
    'chain-rate-limiter --config limiter.toml --listen.address=0.0.0.0',
    'chain-rate-limiter check --limit.burst=40 > limiter.toml',
  ],
  manifest: new URL('../../package.json', import.meta.url),
  run: (settings, { sources, logger }) => runLimiter({ settings, sources }, { logger }),
};

/** The exit code. */
export function run(args: readonly string[]): Promise<number> {
  return runProgram({ args, environment: process.env }, LIMITER, COMMAND);
}
