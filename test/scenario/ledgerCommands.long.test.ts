import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { cliWallet } from '../support/cliWallet.ts';

/** Development account 1: its EVM address. */
const FRIEND = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

const wallet = cliWallet();
const { run, query, tx, committed, unitsOf } = wallet;
let validator: string;

beforeAll(async () => {
  const { validators } = await query('staking', 'validators');
  validator = (validators as { operator_address: string }[])[0]!.operator_address;
});

describe('chaind tx', () => {
  it('sends coins to an EVM address, waits for the block, and finds the transaction by its hash', async () => {
    const before = await unitsOf(FRIEND);
    const sent = await committed('bank', 'send', FRIEND, '2500usei', '--memo', 'lunch');
    expect(sent).toMatchObject({ code: 0, height: expect.stringMatching(/^\d+$/) });
    expect(await unitsOf(FRIEND)).toBe(before + 2500n);
    const shown = await run(['query', 'tx', String(sent.txhash)]);
    expect(shown.out).toMatch(/^result: +success$/m);
    expect(shown.out).toMatch(/^memo: +lunch$/m);
    expect(await query('txs', '--query', `tx.hash='${sent.txhash}'`)).toMatchObject({ total: '1' });
  });

  it('stakes, unbonds, and withdraws rewards', async () => {
    await committed('staking', 'delegate', validator, '5000000usei');
    await committed('staking', 'unbond', validator, '2000000usei', '--fees', '5000000usei');
    const withdrawn = await committed('distribution', 'withdraw-rewards', '--commission');
    const events = withdrawn.events as { type: string }[];
    expect(events.map(({ type }) => type)).toContain('withdraw_rewards');
    const delegations = await run(['query', 'staking', 'delegations', 'alice']);
    expect(delegations.out).toMatch(new RegExp(`^chain1\\w+ +${validator} +13000000 +usei$`, 'm'));
    const unbonding = await run(['query', 'staking', 'unbonding-delegations', 'alice']);
    expect(unbonding.out).toMatch(/ 2000000 +20\d\d-/);
  });

  it('prints the gas without sending, and makes, signs and sends a transaction in three steps', async () => {
    const dry = await run(['tx', 'bank', 'send', FRIEND, '1usei', '--from', 'alice', '--dry-run']);
    expect([dry.code, dry.out]).toEqual([0, expect.stringMatching(/^gas: \d{5}\n$/)]);
    const unsigned = join(wallet.root, 'unsigned.json');
    const signed = join(wallet.root, 'signed.json');
    const made = await run(['tx', 'bank', 'send', FRIEND, '1usei', '--from', 'alice', '--generate-only']);
    writeFileSync(unsigned, made.out);
    writeFileSync(signed, (await tx('sign', unsigned)).out);
    expect(JSON.parse(readFileSync(signed, 'utf8'))).toMatchObject({
      body: { messages: [{ '@type': '/cosmos.bank.v1beta1.MsgSend' }] },
      signatures: [expect.any(String)],
    });
    const encoded = (await run(['tx', 'encode', signed])).out.trim();
    expect(JSON.parse((await run(['tx', 'decode', encoded])).out)).toEqual(
      JSON.parse(readFileSync(signed, 'utf8')),
    );
    const sent = await run(['tx', 'broadcast', signed, '--broadcast-mode', 'commit']);
    expect([sent.code, sent.out]).toEqual([0, expect.stringContaining('success')]);
  });

  it('associates the addresses of a key that was given something', async () => {
    const made = await run(['keys', 'create', 'carol', '--password-stdin', '--output', 'json'], 'password\n');
    const { evmAddress } = JSON.parse(made.out) as { evmAddress: string };
    await committed('bank', 'send', 'carol', '1000000usei');
    expect(await query('evm', 'address', evmAddress)).toMatchObject({ associated: false });
    const args = ['tx', 'evm', 'associate', '--from', 'carol', '--yes', '--password-stdin'];
    const { code } = await run([...args, '--broadcast-mode', 'commit'], 'password\n');
    expect(code).toBe(0);
    expect(await query('evm', 'address', evmAddress)).toMatchObject({ associated: true });
    expect(await unitsOf(evmAddress)).toBe(await unitsOf('carol'));
  });

  it('registers the token pointer of a denomination', async () => {
    expect(await query('evm', 'pointer', 'utest')).toMatchObject({ exists: false });
    expect(await committed('evm', 'register-pointer', 'utest')).toMatchObject({ code: 0 });
    expect(await query('evm', 'pointer', 'utest')).toMatchObject({ exists: true, version: 1 });
    const twice = await tx('evm', 'register-pointer', 'utest');
    expect(twice.err).toMatch(/denomination utest has its pointer at 0x/);
  });

  it('says what is wrong, what was given, and what to do', async () => {
    const cases: [args: string[], code: number, text: RegExp][] = [
      [['bank', 'send', FRIEND, '1000'], 1, /"1000" is no list of coins; write .* 1000usei/],
      [
        ['bank', 'send', 'nobody', '1usei'],
        1,
        /"nobody" is no account: write chain1…, 0x… or the name of a key/,
      ],
      [['bank', 'send', FRIEND, `${'9'.repeat(20)}usei`], 1, /spendable balance .* insufficient funds/],
      [
        ['bank', 'send', FRIEND, '1usei', '--chain-id', 'other-1'],
        1,
        /follows chain-local-1; leave --chain-id away/,
      ],
      [['bank', 'send', FRIEND, '1usei', '--node', 'http://127.0.0.1:9'], 1, /start a node, or name another/],
      [['bank', 'send', FRIEND, '1usei', '--node', wallet.node.url], 1, /abci_query|status/],
      [['bank', 'send', FRIEND, '1usei', '--gas', 'some'], 2, /Want auto, or a whole number/],
      [['staking', 'delegate', 'chain1x', '1usei'], 1, /invalid validator address: .*chain1x/],
      [['staking', 'delegate', validator, '1usei,2uother'], 2, /is a list of coins; write one/],
    ];
    const check = async ([args, code, message]: (typeof cases)[number]): Promise<void> => {
      const outcome = await tx(...args);
      expect([outcome.code, outcome.out], args.join(' ')).toEqual([code, '']);
      expect(outcome.err).toMatch(message);
      expect(outcome.err).not.toMatch(/^ +at /m);
    };
    for (const one of cases) await check(one);
    const cheap = await tx('bank', 'send', FRIEND, '1usei', '--fees', '1usei');
    expect([cheap.code, cheap.out]).toEqual([1, expect.stringMatching(/code 13 of sdk: insufficient fees/)]);
    const unasked = await run(['tx', 'bank', 'send', FRIEND, '1usei', '--from', 'alice']);
    expect([unasked.code, unasked.err]).toEqual([2, expect.stringMatching(/Use --yes to go on/)]);
    const unsigned = await run(['tx', 'bank', 'send', FRIEND, '1usei']);
    expect([unsigned.code, unsigned.err]).toEqual([2, expect.stringMatching(/add --from <key>/)]);
  });
});

describe('chaind query', () => {
  it('shows tables to people, and the answer of the service to programs', async () => {
    const balances = await run(['query', 'bank', 'balances', 'alice']);
    expect(balances.out).toMatch(/^DENOM +AMOUNT\nusei +\d+\nutest +1000000000000\n$/);
    expect(await query('bank', 'balances', 'alice')).toEqual({
      balances: [
        { denom: 'usei', amount: expect.any(String) },
        { denom: 'utest', amount: '1000000000000' },
      ],
      pagination: { next_key: null, total: '2' },
    });
    const validators = await run(['query', 'staking', 'validators', '--status', 'bonded']);
    expect(validators.out).toMatch(
      /^MONIKER +OPERATOR +STATUS +TOKENS +COMMISSION\ndevelopment +chainvaloper1/,
    );
    const account = await run(['query', 'account', FRIEND]);
    expect(account.out).toMatch(/^address: +chain1\w+\nnumber: +\d+\nsequence: 0\nkey: /);
    const block = await query('block', '1');
    expect(block).toMatchObject({ sdk_block: { header: { height: '1', chain_id: 'chain-local-1' } } });
    const rewards = await run(['query', 'distribution', 'rewards', FRIEND]);
    expect([rewards.code, rewards.out, rewards.err]).toEqual([
      0,
      '',
      expect.stringMatching(/^chain1\w+ has staked nothing\n$/),
    ]);
    const evidence = await run(['query', 'evidence', 'list']);
    expect([evidence.code, evidence.err]).toEqual([0, 'nobody has signed twice\n']);
  });

  it('pages through a list, and asks old heights', async () => {
    const first = await run(['query', 'bank', 'holders', 'usei', '--limit', '2']);
    expect(first.out.trim().split('\n')).toHaveLength(3);
    const key = /--page-key (\S+)/.exec(first.err)?.[1];
    const second = await run(['query', 'bank', 'holders', 'usei', '--limit', '2', '--page-key', key!]);
    expect(second.out.split('\n')[1]).not.toBe(first.out.split('\n')[2]);
    const old = await query('bank', 'balance', FRIEND, 'usei', '--height', '1');
    expect(old).toEqual({ balance: { denom: 'usei', amount: '10000000000' } });
    const future = await run(['query', 'bank', 'total', '--height', '99999999']);
    expect([future.code, future.err]).toEqual([1, expect.stringMatching(/height in the future/)]);
  });

  it.each([
    [['tx', 'x'], /"x" is not a transaction hash: 64 hex digits/],
    [['tx', 'A'.repeat(64)], /tx not found: A{64}/],
    [['evidence', 'evidence', 'A'.repeat(64)], /evidence A{64} not found/],
    [['block', '99999999'], /asked for 99999999, latest height/],
    [['txs', '--query', 'tx.height ='], /query|offset|EOF/],
  ])('%j fails with one line', async (args, text) => {
    const { code, out, err } = await run(['query', ...args]);
    expect([code, out]).toEqual([1, '']);
    expect(err.trim().split('\n')).toEqual([expect.stringMatching(text)]);
  });
});
