import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { socketDirectory } from './socketDirectory.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'sockets-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

describe('the directory of sockets', () => {
  it('is made for its owner alone', async () => {
    expect(await socketDirectory(home)).toBe(join(home, 'run'));
    expect(await socketDirectory(home)).toBe(join(home, 'run'));
  });

  it('is refused when others may write to it, or when it leads elsewhere', async () => {
    const run = join(home, 'run');
    mkdirSync(run);
    chmodSync(run, 0o777);
    await expect(socketDirectory(home)).rejects.toMatchObject({ code: 'APP_SOCKET_DIRECTORY' });
    rmSync(run, { recursive: true });
    mkdirSync(join(home, 'elsewhere'));
    symlinkSync(join(home, 'elsewhere'), run);
    await expect(socketDirectory(home)).rejects.toThrow('is not a directory of this user');
  });
});
