import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { SERIES } from '../../scripts/series.ts';
import { trackedFiles } from '../support/trackedFiles.ts';

it('a series names test files: a folder, or a file that is gone, would choose nothing', () => {
  const paths = SERIES.flatMap(({ paths }) => paths);
  expect(paths.filter((path) => !path.endsWith('.test.ts') || !existsSync(path))).toEqual([]);
});

it('each size of a series is read by a test', () => {
  const texts = trackedFiles()
    .filter((path) => /\.(test|fixture)\.ts$|^test\//.test(path))
    .map((path) => readFileSync(path, 'utf8'));
  const sizes = SERIES.flatMap(({ long = {}, soak }) => [...Object.keys(long), ...Object.keys(soak)]);
  expect(sizes.filter((size) => !texts.some((text) => text.includes(`env.${size}`)))).toEqual([]);
});
