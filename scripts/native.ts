import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildLevelDb } from './native/levelDbBuild.ts';
import { NATIVE_DIRECTORY, SOURCES_DIGEST, sourcesDigest } from './native/nativeSources.ts';

// `npm run native [-- precompiles | leveldb]` compiles native code for this system, and notes of which sources it is.
const chosen = process.argv.slice(2);
const isChosen = (name: string): boolean => chosen.length === 0 || chosen.includes(name);
if (isChosen('precompiles')) buildPrecompiles();
if (isChosen('leveldb')) buildLevelDb();

/** It takes cargo. */
function buildPrecompiles(): void {
  const directory = `node/prebuilds/${process.platform}-${process.arch}`;
  const target = mkdtempSync(join(tmpdir(), 'chain-native-'));
  const suffix = process.platform === 'darwin' ? 'dylib' : 'so';
  try {
    execFileSync('cargo', ['build', '--release', '--locked', '--target-dir', target], {
      cwd: NATIVE_DIRECTORY,
      stdio: 'inherit',
      env: {
        ...process.env,
        // No path of this machine gets into the binary.
        RUSTFLAGS: `--remap-path-prefix=${homedir()}=/home --remap-path-prefix=${resolve(NATIVE_DIRECTORY)}=/native`,
      },
    });
    mkdirSync(directory, { recursive: true });
    copyFileSync(join(target, 'release', `libprecompiles.${suffix}`), join(directory, 'precompiles.node'));
    writeFileSync(SOURCES_DIGEST, `${sourcesDigest()}\n`);
    console.log(`wrote ${directory}/precompiles.node`);
  } finally {
    rmSync(target, { recursive: true });
  }
}
