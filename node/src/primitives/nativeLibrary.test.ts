import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { loadOrFallBack } from './nativeLibrary.ts';

test('a library without a binary for this system is replaced, and the reason is kept', () => {
  const load = () => createRequire(import.meta.url)('./absent.node') as string;
  const { form, missing } = loadOrFallBack('absent', load, 'slow');
  expect(form).toBe('slow');
  expect(missing).toMatchObject({ library: 'absent', reason: expect.stringContaining('absent.node') });
});

test('a library that loads is used', () => {
  expect(loadOrFallBack('present', () => 'fast', 'slow')).toEqual({ form: 'fast' });
});
