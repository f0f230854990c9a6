import { readFileSync } from 'node:fs';
import { isResourceError } from '@chain/platform';
import { expect, test } from 'vitest';
import { SOURCES_DIGEST, sourcesDigest } from '../../../../scripts/native/nativeSources.ts';
import { hasNative, missingPrecompiles, native } from './native.ts';

test('the binaries are of the sources that are here', () => {
  expect(readFileSync(SOURCES_DIGEST, 'utf8').trim()).toBe(sourcesDigest());
});

test('there is a binary for Linux on x64, and a reason wherever there is none', () => {
  const isGnu = 'glibcVersionRuntime' in (process.report.getReport() as { header: object }).header;
  if (process.platform === 'linux' && process.arch === 'x64' && isGnu)
    expect(missingPrecompiles).toBeUndefined();
  expect(hasNative).toBe(missingPrecompiles === undefined);
});

test.skipIf(!hasNative)('a fault of native code is no result: it stops the node', () => {
  for (const fault of [() => native(99), () => native(0, new Uint8Array(3))]) {
    expect(fault).toThrow(expect.objectContaining({ code: 'EVM_NATIVE_FAULT' }));
    let met: unknown;
    try {
      fault();
    } catch (error) {
      met = error;
    }
    expect(isResourceError(met)).toBe(true);
  }
});
