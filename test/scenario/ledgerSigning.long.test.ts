import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cliWallet } from '../support/cliWallet.ts';

/** An EVM address that nobody has used. */
const BOB = '0x00000000000000000000000000000000000B0b0b';

const wallet = cliWallet();
const { run, query, tx, committed, unitsOf } = wallet;

describe('chaind tx', () => {
  it('signs what a hardware wallet would show, with the chain told apart from any node', async () => {
    const sent = await committed('bank', 'send', BOB, '1usei', '--sign-mode', 'amino-json', '--memo', '<&>');
    const { tx: shown } = (await query('tx', String(sent.txhash))) as { tx: { auth_info: object } };
    expect(shown.auth_info).toMatchObject({
      signer_infos: [{ mode_info: { single: { mode: 'SIGN_MODE_LEGACY_AMINO_JSON' } } }],
    });
    const { account } = (await query('account', 'alice')) as { account: Record<string, string> };
    const numbers = ['--account-number', account.account_number!, '--sequence', account.sequence!];
    const offline = ['--offline', ...numbers, '--chain-id', 'chain-local-1', '--node', 'http://127.0.0.1:9'];
    const fee = ['--gas', '200000', '--fees', '4000usei'];
    const made = await run([
      'tx',
      'bank',
      'send',
      'alice',
      '1usei',
      '--from',
      'alice',
      '--generate-only',
      ...fee,
      ...offline,
    ]);
    expect(made.err).toBe('');
    const unsigned = join(wallet.root, 'offline.json');
    writeFileSync(unsigned, made.out);
    const signed = await tx(
      'sign',
      unsigned,
      '--sign-mode',
      'amino-json',
      ...offline,
      '--output-document',
      `${unsigned}.signed`,
    );
    expect([signed.code, signed.out, signed.err]).toEqual([0, '', '']);
    expect(
      (await run(['tx', 'broadcast', `${unsigned}.signed`, '--broadcast-mode', 'commit'])).out,
    ).toContain('success');
    const blind = await tx('sign', unsigned, '--offline');
    expect([blind.code, blind.err]).toEqual([2, expect.stringContaining('add --account-number, --sequence')]);
  });

  it('lets members of a key of several sign in turn, and joins what they signed', async () => {
    const secret = (byte: string) => `0x${byte.repeat(32)}\npassword\n`;
    for (const [name, byte] of [
      ['bob', '21'],
      ['dave', '22'],
    ] as const) {
      await run(['keys', 'import', name, '--from', 'private-key', '--password-stdin'], secret(byte));
    }
    const add = ['keys', 'add', 'team', '--multisig', 'alice,bob,dave', '--multisig-threshold', '2'];
    const { chainAddress } = JSON.parse((await run([...add, '--output', 'json'])).out) as {
      chainAddress: string;
    };
    expect((await run(['keys', 'list'])).out).toMatch(/^team {2}2 of 3 keys +chain1/m);
    await committed('bank', 'send', 'team', '1000000usei');
    const alone = await run(['tx', 'bank', 'send', BOB, '1usei', '--from', 'team', '--yes']);
    expect([alone.code, alone.err]).toEqual([
      2,
      expect.stringMatching(/"team" is a key of several: add --generate-only/),
    ]);
    const unsigned = join(wallet.root, 'team.json');
    const made = await run(['tx', 'bank', 'send', BOB, '25usei', '--from', 'team', '--generate-only']);
    writeFileSync(unsigned, made.out);
    const signFor = async (name: string) => {
      const file = join(wallet.root, `team-${name}.json`);
      const args = ['tx', 'sign', unsigned, '--from', name, '--multisig', 'team', '--password-stdin'];
      const { code, err } = await run([...args, '--output-document', file], 'password\n');
      expect([code, err]).toEqual([0, '']);
      return file;
    };
    const files = [await signFor('dave'), await signFor('alice')];
    expect(JSON.parse(readFileSync(files[0]!, 'utf8'))).toMatchObject({
      signatures: [
        {
          public_key: { '@type': '/cosmos.crypto.secp256k1.PubKey' },
          data: { single: { mode: 'SIGN_MODE_LEGACY_AMINO_JSON', signature: expect.any(String) } },
          sequence: '0',
        },
      ],
    });
    const few = await run(['tx', 'multisign', unsigned, 'team', files[0]!]);
    expect([few.code, few.err]).toEqual([
      1,
      expect.stringContaining('1 of the members have signed and 2 must'),
    ]);
    const wrong = await run(['tx', 'multisign', unsigned, 'team', ...files, '--sequence', '5']);
    expect(wrong.err).toMatch(/team-dave.json holds no signature that can be used: .* sequence 5/);
    const joined = join(wallet.root, 'joined.json');
    writeFileSync(joined, (await run(['tx', 'multi-sign', unsigned, chainAddress, ...files])).out);
    const sent = await run(['tx', 'broadcast', joined, '--broadcast-mode', 'commit']);
    expect([sent.code, sent.out]).toEqual([0, expect.stringContaining('success')]);
    expect(await unitsOf(BOB)).toBe(26n);
  });
});
