import { expect, it } from 'vitest';
import { isDiskFull, writeRemedy } from './diskFull.ts';

it('knows a full disk by the words of Node and of native libraries, also as a cause', () => {
  const native = new RangeError('IO error: /data/000005.log: No space left on device');
  expect(isDiskFull(new RangeError('database failed', { cause: native }))).toBe(true);
  expect(isDiskFull(new RangeError('ENOSPC: no space left on device, write'))).toBe(true);
  expect(isDiskFull(new RangeError('EDQUOT: disk quota exceeded, write'))).toBe(true);
  expect(isDiskFull(new RangeError('EIO: i/o error, write'))).toBe(false);
  expect(isDiskFull(undefined)).toBe(false);
});

it('names the path in the remedy', () => {
  expect(writeRemedy('/data', new RangeError('ENOSPC'))).toBe(
    'free space on the disk of "/data" and restart the node',
  );
  expect(writeRemedy('/data', new RangeError('EIO'))).toBe('check the disk of "/data" and restart the node');
});
