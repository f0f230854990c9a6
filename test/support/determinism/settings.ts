import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** How a process is set up that runs blocks. */
interface Setting {
  /** Of the runtime. */
  readonly flags: readonly string[];
  readonly engine: 'wasm' | 'reference';
  readonly isWarm: boolean;
  readonly inWorker: boolean;
}

const USUAL: Setting = { flags: [], engine: 'wasm', isWarm: false, inWorker: false };

/** Machines that differ in all that a result must not depend on. WebAssembly needs a compiler, so no `--jitless`. */
export const SETTINGS: Readonly<Record<string, Setting>> = {
  cold: USUAL,
  warm: { ...USUAL, isWarm: true },
  'small stack': { ...USUAL, flags: ['--stack-size=300'] },
  'small heap': { ...USUAL, flags: ['--max-old-space-size=100', '--max-semi-space-size=1'] },
  'interpreter only': { ...USUAL, flags: ['--no-opt', '--no-maglev', '--no-sparkplug'] },
  worker: { ...USUAL, inWorker: true },
  'reference engine': { ...USUAL, engine: 'reference' },
};

/** The lines of a file's blocks from a process of that setting; fails with what it says when it ends in an error. */
export async function linesOf(name: string, file: string): Promise<string[]> {
  const { flags, ...setting } = SETTINGS[name]!;
  const program = 'test/support/determinism/runElsewhere.ts';
  const args = [...flags, program, JSON.stringify({ ...setting, file })];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1 << 28 });
  return stdout.trimEnd().split('\n');
}
