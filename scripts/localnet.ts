import { spawn } from 'node:child_process';
import { buildCometbft, COMETBFT_PROGRAM } from './buildCometbft.ts';

/** `npm run localnet [-- flags of chaind localnet]`: builds CometBFT if need be, then runs a network. */
const problem = buildCometbft();
if (problem) {
  console.error(`${problem}; install cometbft 0.38.x and run "chaind localnet --cometbft <path>"`);
  process.exit(1);
}
const child = spawn(
  process.execPath,
  ['node/bin/chaind.js', 'localnet', '--cometbft', COMETBFT_PROGRAM, ...process.argv.slice(2)],
  { stdio: 'inherit' },
);
// The network stops in order; this waits for it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
child.once('exit', (code) => process.exit(code ?? 1));
