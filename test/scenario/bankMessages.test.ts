import type { EncodeObject } from '@cosmjs/proto-signing';
import { beforeEach, describe, expect, it } from 'vitest';
import { signRaw, testAccount } from '../../node/src/execution/testChain.fixture.ts';
import {
  moduleAddress,
  readBalanceWei,
  readChainAddress,
  readEvmAddress,
  readSupplyWei,
  readUnits,
} from '../../node/src/ledger/index.ts';
import { toBech32 } from '../../node/src/primitives/index.ts';
import { account, accountText, ValidatorChain } from '../support/validatorChain.ts';

let chain: ValidatorChain;
beforeEach(async () => {
  chain = await ValidatorChain.start({ stakes: [1_000_000] });
});

const coins = (amount: number, denom = 'usei') => [{ denom, amount: String(amount) }];
const multiSend = (
  inputs: readonly { address: string; coins: ReturnType<typeof coins> }[],
  outputs: readonly { address: string; coins: ReturnType<typeof coins> }[],
): EncodeObject => ({ typeUrl: '/cosmos.bank.v1beta1.MsgMultiSend', value: { inputs, outputs } });
const units = (seed: number) => readUnits(chain.state, account(seed), 'usei');

describe('MsgMultiSend', () => {
  const from = { address: accountText(1), coins: coins(30) };

  it('pays several from one account, also twice the same one', async () => {
    const before = [1, 2, 20].map(units);
    const outputs = [
      { address: accountText(2), coins: coins(10) },
      { address: accountText(20), coins: coins(15) },
      { address: accountText(2), coins: coins(5) },
    ];
    const { code, events } = await chain.run(1, multiSend([from], outputs));
    expect(code).toBe(0);
    expect([1, 2, 20].map(units)).toEqual([before[0]! - 30n - 4000n, before[1]! + 15n, 15n]);
    const transfers = events.filter(
      ({ type, attributes }) => type === 'transfer' && attributes.some(({ key }) => key === 'msg_index'),
    );
    expect(transfers.map(({ attributes }) => attributes[1]!.value)).toEqual(['10usei', '15usei', '5usei']);
  });

  it.each([
    ['without inputs', [], [{ address: accountText(2), coins: coins(30) }], 2, 'bank'],
    ['without outputs', [from], [], 3, 'bank'],
    ['whose sums differ', [from], [{ address: accountText(2), coins: coins(29) }], 4, 'bank'],
    ['of two inputs', [from, from], [{ address: accountText(3), coins: coins(60) }], 9, 'bank'],
    [
      'of more than there is',
      [{ address: accountText(1), coins: coins(10 ** 12) }],
      [{ address: accountText(2), coins: coins(10 ** 12) }],
      5,
      'sdk',
    ],
    [
      'to a module',
      [from],
      [{ address: toBech32(moduleAddress('bonded_tokens_pool')), coins: coins(30) }],
      4,
      'sdk',
    ],
    [
      'in nothing',
      [{ address: accountText(1), coins: coins(0) }],
      [{ address: accountText(2), coins: coins(0) }],
      10,
      'sdk',
    ],
  ])('is refused %s', async (...[, inputs, outputs, code, codespace]) => {
    const supply = readSupplyWei(chain.state);
    expect(await chain.run(1, multiSend(inputs, outputs))).toMatchObject({ code, codespace });
    expect(readSupplyWei(chain.state)).toBe(supply);
  });
});

describe('MsgAssociate', () => {
  const message = (seed: number, customMessage = ''): EncodeObject => ({
    typeUrl: '/chain.evm.v1.MsgAssociate',
    value: { sender: accountText(seed), customMessage },
  });

  it('binds both addresses of the signer and joins what both hold', async () => {
    const { evmAddress } = testAccount(3);
    // The cast account of the EVM address holds something before anybody knows whose it is.
    const { results } = await chain.block([
      signRaw(testAccount(2), { to: evmAddress, value: 5n * 10n ** 12n + 7n }),
    ]);
    expect(results[0]!.code).toBe(0);
    expect(readChainAddress(chain.state, evmAddress)).toBeUndefined();
    const before = units(3);
    const { code, events } = await chain.run(3, message(3, 'hello'));
    expect(code).toBe(0);
    expect(events.some(({ type }) => type === 'address_associated')).toBe(true);
    expect(readChainAddress(chain.state, evmAddress)).toEqual(account(3));
    expect(readEvmAddress(chain.state, account(3))).toEqual(evmAddress);
    expect(readBalanceWei(chain.state, evmAddress)).toBe((before + 5n - 4000n) * 10n ** 12n + 7n);
    expect(await chain.run(3, message(3))).toMatchObject({ code: 0 });
  });

  it('takes a message of 64 characters and no longer one', async () => {
    expect(await chain.run(3, message(3, 'm'.repeat(65)))).toMatchObject({ code: 18, codespace: 'sdk' });
    expect(await chain.run(3, message(3, 'm'.repeat(64)))).toMatchObject({ code: 0 });
  });
});
