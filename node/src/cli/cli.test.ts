import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const PROGRAM = fileURLToPath(new URL('../../bin/chaind.js', import.meta.url));

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cli-'));
});
afterAll(() => rm(root, { recursive: true }));

interface Outcome {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs the real program. */
async function chaind(args: readonly string[], { input = '', env = {} } = {}): Promise<Outcome> {
  const child = spawn(process.execPath, [PROGRAM, ...args], { env: { ...process.env, ...env } });
  child.stdin.end(input);
  const exit = new Promise<number | null>((resolve) => child.on('close', resolve));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await exit, out, err };
}

describe('the program', () => {
  it('explains itself, tells its version, and guesses what a wrong word meant', async () => {
    const help = await chaind(['--help']);
    expect([help.code, help.err]).toEqual([0, '']);
    expect(help.out).toContain('Exit codes: 0 done, 1 failed, 2 wrong use.');
    const version = await chaind(['version', '--json']);
    expect((await chaind(['version', '--output', 'json'])).out).toBe(version.out);
    expect(JSON.parse(version.out)).toMatchObject({
      version: '6.5.0',
      backends: expect.arrayContaining(['pebbledb']),
      engines: { wasm: '6.5.0', reference: expect.stringContaining('ethereumjs') },
    });
    expect((await chaind(['--version'])).out).toBe('6.5.0\n');
    expect((await chaind(['version'])).out).toMatch(/^6\.5\.0\nbackends +pebbledb/);
    const typo = await chaind(['inti', 'x']);
    expect(typo.code).toBe(2);
    expect(typo.err).toContain('Did you mean init?');
    expect(typo.err).not.toContain('    at ');
    expect((await chaind(['dev', '--port', '70000'])).code).toBe(2);
  });

  it('makes a home, refuses to make it twice, and shows and checks its configuration', async () => {
    const home = join(root, 'a');
    const made = await chaind(['init', 'alpha', '--output', 'json'], { env: { CHAIND_HOME: home } });
    expect(made.code).toBe(0);
    expect(JSON.parse(made.out)).toMatchObject({ home, chainId: 'chain-local-1', evmChainId: '713714' });
    const again = await chaind(['init', 'alpha', '--home', home]);
    expect(again.code).toBe(1);
    expect(again.err.trim().split('\n')).toEqual([expect.stringMatching(/^error: .*config\/genesis.json/)]);

    const shown = await chaind(['config', 'show', '--home', home, '--set', 'evm.http_port=1'], {
      env: { CHAIND_STATE_STORE_SS_KEEP_RECENT: '5' },
    });
    expect(shown.out).toContain('state-store.ss-keep-recent = 5\n');
    expect(shown.out).toContain('evm.http_port = 1\n');
    expect((await chaind(['config', 'validate', '--home', home])).out).toContain('configuration is valid');

    await writeFile(join(home, 'config/app.toml'), '[evm]\nhttp_prt = 1\nws_port = -1\n');
    const invalid = await chaind(['config', 'validate', '--home', home]);
    expect([invalid.code, invalid.out]).toEqual([1, '']);
    expect(invalid.err.trim().split('\n')).toEqual([
      'error: app.toml: evm.http_prt = 1: unknown key; did you mean evm.http_port?',
      'error: app.toml: evm.ws_port = -1: negative; write a number, 0 to 65535',
    ]);
  });

  it('asks for an EVM chain id with a chain id of your own', async () => {
    const { code, err } = await chaind(['init', 'x', '--chain-id', 'mine-1', '--home', join(root, 'b')]);
    expect([code, err]).toEqual([1, expect.stringContaining('add --evm-chain-id <number>')]);
  });

  it('keeps keys encrypted and takes secrets from standard input only', async () => {
    const home = ['--home', join(root, 'c')];
    const secret = `0x${'11'.repeat(32)}`;
    const flags = ['--from', 'private-key', '--password-stdin', ...home];
    const imported = await chaind(['keys', 'import', 'bob', ...flags], { input: `${secret}\npass phrase\n` });
    expect(imported.err).toBe('');
    expect(imported.out).toContain('0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A');
    expect(await readFile(join(root, 'c/keyring/bob.json'), 'utf8')).not.toContain('11'.repeat(32));
    const listed = await chaind(['keys', 'list', '--output', 'json', ...home]);
    expect(JSON.parse(listed.out)).toEqual([
      expect.objectContaining({ name: 'bob', chainAddress: expect.stringMatching(/^chain1/) }),
    ]);
    const unasked = await chaind(['keys', 'export', 'bob', '--password-stdin', ...home], {
      input: 'pass phrase\n',
    });
    expect([unasked.code, unasked.out]).toEqual([2, '']);
    const exported = await chaind(['keys', 'export', 'bob', '--yes', '--password-stdin', ...home], {
      input: 'pass phrase\n',
    });
    expect(exported.out).toContain(secret);
    const wrong = await chaind(['keys', 'import', 'eve', ...flags], { input: 'not a key\npass phrase\n' });
    expect([wrong.code, wrong.err]).toEqual([1, expect.not.stringContaining('not a key')]);
    const blind = await chaind(['keys', 'add', 'carol', ...home]);
    expect([blind.code, blind.err]).toEqual([2, expect.stringContaining('--password-stdin')]);
  });
});
