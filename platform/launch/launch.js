// Runs a program on Node 24 or newer, whatever `node` is first on PATH. Only node: imports, plain JavaScript.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { keepGeneralWrappers } from './wasmWrappers.js';

const NEEDED = 24;

/**
 * `file` is the launcher's own URL, `main` imports the program; it runs here or in a newer Node that gets the same
 * arguments, streams and signals.
 */
export async function launch({ name, file, main }) {
  if (Number(process.versions.node.split('.')[0]) < NEEDED) {
    runOnNewer(name, fileURLToPath(file));
    return;
  }
  keepGeneralWrappers();
  // A coverage run must see every source, and a cache would hide some.
  if (!process.env.NODE_V8_COVERAGE) (await import('node:module')).enableCompileCache?.();
  await main();
}

function runOnNewer(name, program) {
  const node = findNode(dirname(program));
  if (!node) {
    process.stderr.write(
      `${name} needs Node ${NEEDED} or newer and this is ${process.versions.node}; run "npm ci" in the clone, which brings one, or install it\n`,
    );
    process.exit(1);
  }
  const child = spawn(node, [program, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2']) {
    process.on(signal, () => child.kill(signal));
  }
  child.on('error', (error) => {
    process.stderr.write(`${name} could not start ${node}: ${error.message}\n`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
}

/** The Node that the workspace's lock file brought. */
function findNode(start) {
  for (let directory = start; ; directory = dirname(directory)) {
    const candidate = join(directory, 'node_modules', '.bin', 'node');
    if (existsSync(candidate)) return candidate;
    if (directory === dirname(directory)) return undefined;
  }
}
