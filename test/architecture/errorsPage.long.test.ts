import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { errorsPage } from '../../scripts/errors/errorsPage.ts';

const ROOT = join(import.meta.dirname, '../..');

it('the page of errors is what npm run gen makes of the code', () => {
  expect(readFileSync(join(ROOT, 'docs/reference/errors.md'), 'utf8')).toBe(errorsPage(ROOT));
});
