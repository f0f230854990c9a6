// Brings the tools of tests, gates and examples (devDependencies), which a plain `npm ci` leaves out, where they are
// missing. Only node: imports and plain JavaScript: it may run on the Node that is on PATH.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const missing = Object.keys(devDependencies).filter(
  (name) => !existsSync(`node_modules/${name}/package.json`),
);

if (missing.length > 0) {
  process.stderr.write(`installing the tools of the tests (${missing.length} packages are missing)\n`);
  // Adds to what is there, by the lock file. `npm ci` would delete caches and the Node that this may run on.
  const { status, error } = spawnSync('npm', ['install', '--include=dev', '--no-save'], { stdio: 'inherit' });
  if (error) process.stderr.write(`npm does not start: ${error.message}\n`);
  process.exitCode = status ?? 1;
}
