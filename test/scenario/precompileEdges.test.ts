import { createHash, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Interface } from 'ethers';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { testAccount } from '../../node/src/execution/testChain.fixture.ts';
import { hexToBytes, toBech32, toHexData } from '../../node/src/primitives/index.ts';
import { GOLD } from '../support/goldGenesis.ts';
import { accounts, LedgerChain, VALIDATOR } from '../support/ledgerChain.ts';

const UNIT = 10n ** 12n;
const [operator] = accounts;
const stranger = testAccount(41);
const strangerHex = toHexData(stranger.evmAddress);
const at = (last: string) => hexToBytes(`0x${last.padStart(40, '0')}`);

let ledger: LedgerChain;
beforeEach(async () => {
  ledger = await LedgerChain.start();
});

function precompile(name: string, last: string) {
  const abi = new Interface(readFileSync(`docs/abi/${name}.json`, 'utf8'));
  const to = at(last);
  const data = (method: string, ...args: readonly unknown[]) =>
    hexToBytes(abi.encodeFunctionData(method, args));
  const ask = (method: string, ...args: readonly unknown[]) =>
    ledger.call({ to, data: data(method, ...args) });
  return { abi, to, data, ask };
}
const bank = precompile('bank', '1001');
const staking = precompile('staking', '1005');
const distribution = precompile('distribution', '1007');

describe('the bank precompile as the reference has it', () => {
  it('refuses the balance of no denomination', async () => {
    const { error } = await bank.ask('balance', toHexData(operator.evmAddress), '');
    expect(error).toBe('execution reverted');
    const data = bank.data('balance', toHexData(operator.evmAddress), '');
    expect((await ledger.run(operator, { to: bank.to, data })).vmError).toBe(
      'execution reverted|invalid denom',
    );
  });

  it('counts whole units, so that decimals are 0 of whatever denomination', async () => {
    for (const denom of [GOLD, 'usei', 'unobody']) {
      const { returnData } = await bank.ask('decimals', denom);
      expect(bank.abi.decodeFunctionResult('decimals', returnData)[0]).toBe(0n);
    }
  });
});

describe('who is not associated', () => {
  it('is refused as caller, with the value given back', async () => {
    const attempts = [
      { ...staking, input: staking.data('delegate', VALIDATOR), value: UNIT },
      { ...staking, input: staking.data('undelegate', VALIDATOR, 1n), value: 0n },
      { ...bank, input: bank.data('sendNative', toBech32(operator.chainAddress)), value: UNIT },
      {
        ...distribution,
        input: distribution.data('setWithdrawAddress', toHexData(operator.evmAddress)),
        value: 0n,
      },
      { ...distribution, input: distribution.data('withdrawValidatorCommission'), value: 0n },
    ];
    await ledger.run(operator, { to: stranger.evmAddress, value: 10n * UNIT });
    for (const { to, input, value } of attempts) {
      const { error } = await ledger.call({ from: stranger.evmAddress, to, data: input, value });
      expect(error).toBe('execution reverted');
    }
  });

  it('is refused as the account of a view, and as whom rewards go to', async () => {
    const views = [
      distribution.ask('rewards', strangerHex),
      distribution.ask('delegatorWithdrawAddress', strangerHex),
      staking.ask('delegation', strangerHex, VALIDATOR),
      staking.ask('delegatorDelegations', strangerHex, '0x'),
    ];
    for (const { error } of await Promise.all(views)) expect(error).toBe('execution reverted');
    const data = distribution.data('setWithdrawAddress', strangerHex);
    const { vmError } = await ledger.run(operator, { to: distribution.to, data });
    expect(vmError).toContain(`${strangerHex} is not associated`);
  });
});

describe('the Delegate event', () => {
  it('is in wei, Undelegate in units', async () => {
    const delegated = await ledger.run(operator, {
      to: staking.to,
      data: staking.data('delegate', VALIDATOR),
      value: 7n * UNIT,
    });
    const data = staking.data('undelegate', VALIDATOR, 3n);
    const undelegated = await ledger.run(operator, { to: staking.to, data });
    const amounts = [delegated, undelegated].map(({ logs }) => {
      const { topics, data } = logs.at(-1)!;
      return staking.abi.parseLog({ topics: topics.map(toHexData), data: toHexData(data) })!.args.amount;
    });
    expect(amounts).toEqual([7n * UNIT, 3n]);
  });
});

describe('gov and oracle', () => {
  const reason = new Interface(['error Error(string)']);

  it.each([
    ['gov', '1006', 'gov precompile is not available: this chain has no governance module'],
    ['oracle', '1008', 'oracle precompile is retired; oracle data queries are disabled'],
  ])('of %s every method reverts with a reason, and no value stays', async (name, last, text) => {
    const { abi, to } = precompile(name, last);
    const inputs = [new Uint8Array(0), hexToBytes('deadbeef')];
    abi.forEachFunction(({ selector }) => inputs.push(hexToBytes(selector)));
    for (const data of inputs) {
      const { error, returnData } = await ledger.call({ to, data, from: operator.evmAddress, value: UNIT });
      expect(error).toBe(`execution reverted: ${text}`);
      expect(reason.decodeErrorResult('Error', returnData)[0]).toBe(text);
    }
    const receipt = await ledger.run(operator, { to, value: UNIT });
    expect(receipt).toMatchObject({ status: 0, vmError: `execution reverted|${text}` });
  });
});

describe('the P-256 precompile', () => {
  const p256 = precompile('p256', '1011');
  let parts: Buffer[];
  beforeAll(() => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const message = Buffer.from('a passkey signs this');
    const signature = sign('sha256', message, { key: privateKey, dsaEncoding: 'ieee-p1363' });
    const { x, y } = createPublicKey(publicKey.export({ type: 'spki', format: 'pem' })).export({
      format: 'jwk',
    });
    const digest = createHash('sha256').update(message).digest();
    const key = [x, y].map((part) => Buffer.from(part!, 'base64url'));
    parts = [digest, signature.subarray(0, 32), signature.subarray(32), ...key];
  });
  const verify = (changed: readonly Uint8Array[]) => p256.ask('verify', Buffer.concat(changed));

  it('says 1 of a signature, with either s, and nothing of another one', async () => {
    const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
    const other = Buffer.from((ORDER - BigInt(toHexData(parts[2]!))).toString(16).padStart(64, '0'), 'hex');
    for (const s of [parts[2]!, other]) {
      const { error, returnData } = await verify([parts[0]!, parts[1]!, s, parts[3]!, parts[4]!]);
      expect(error).toBe('');
      const [answer] = p256.abi.decodeFunctionResult('verify', returnData);
      expect(BigInt(answer)).toBe(1n);
    }
    const zero = new Uint8Array(32);
    for (let i = 0; i < 5; i++) {
      const outcome = await verify(parts.map((part, j) => (i === j ? zero : part)));
      expect(outcome.error).toBe('');
      expect(outcome.returnData).toHaveLength(0);
    }
  });

  it('reverts on any other length', async () => {
    expect((await verify(parts.slice(1))).error).toBe('execution reverted');
    expect((await verify([...parts, Uint8Array.of(0)])).error).toBe('execution reverted');
  });
});

describe('the views of pointers', () => {
  it('know no contract of CosmWasm', async () => {
    const view = precompile('pointerview', '100a');
    for (const method of ['getCW20Pointer', 'getCW721Pointer', 'getCW1155Pointer']) {
      const { error, returnData } = await view.ask(method, toBech32(operator.chainAddress));
      expect(error).toBe('');
      expect([...view.abi.decodeFunctionResult(method, returnData)]).toEqual([
        `0x${'00'.repeat(20)}`,
        0n,
        false,
      ]);
    }
  });
});
