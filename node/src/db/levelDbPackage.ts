import { createRequire, Module } from 'node:module';
import { loadOrFallBack } from '../primitives/index.ts';

/** A build of the package's own sources that checks each block as it is read. */
const BINARY = `../../prebuilds/${process.platform}-${process.arch}/classic-level.node`;
/** The module of the package that finds its binary. */
const BINDING = 'classic-level/binding.js';

const load = createRequire(import.meta.url);
const loaded = loadOrFallBack<unknown>('classic-level.node', () => load(BINARY), undefined);
/** Set where LevelDB runs without checksums of what it reads: for want of a binary. */
export const missingChecksums = loaded.missing;

if (loaded.form !== undefined) {
  const path = load.resolve(BINDING);
  load.cache[path] = Object.assign(new Module(path), { exports: loaded.form, loaded: true });
}
export const { ClassicLevel } = load('classic-level') as typeof import('classic-level');
