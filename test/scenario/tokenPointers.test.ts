import { getCreate2Address, Interface, id } from 'ethers';
import { beforeAll, describe, expect, it } from 'vitest';
import { readCode } from '../../node/src/evm/index.ts';
import {
  signRaw,
  TestChain,
  type TestTransaction,
  testAccount,
} from '../../node/src/execution/testChain.fixture.ts';
import {
  pointerAddressOf,
  readPointee,
  readPointer,
  readSupply,
  readUnits,
} from '../../node/src/ledger/index.ts';
import { MsgRegisterPointer } from '../../node/src/ledger/messages/pointerMessages.ts';
import { hexToBytes, padLeft, toBech32, toHexData } from '../../node/src/primitives/index.ts';
import { SYNTHETIC_TYPE } from '../../node/src/types/index.ts';
import { GOLD, goldGenesis } from '../support/goldGenesis.ts';
import { sendMessage, signLedger } from '../support/ledgerClient.ts';

const POINTER_PRECOMPILE = hexToBytes('000000000000000000000000000000000000100b');
const registry = new Interface(['function addNativePointer(string token) payable returns (address ret)']);
const token = new Interface([
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
  'function totalSupply() view returns (uint256)',
  'function balanceOf(address) view returns (uint256)',
  'function allowance(address, address) view returns (uint256)',
  'function transfer(address, uint256) returns (bool)',
  'function approve(address, uint256) returns (bool)',
  'function transferFrom(address, address, uint256) returns (bool)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
  'error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)',
]);
const POINTER = pointerAddressOf(GOLD);
const [alice, bob, carol] = [0, 1, 2].map(testAccount) as [
  ReturnType<typeof testAccount>,
  ReturnType<typeof testAccount>,
  ReturnType<typeof testAccount>,
];

let chain: TestChain;
const nonces = new Map<unknown, bigint>();
beforeAll(async () => {
  chain = await TestChain.start(goldGenesis());
});

function evm(account: typeof alice, to: Uint8Array, data: string, fields: TestTransaction = {}): Uint8Array {
  const nonce = nonces.get(account) ?? 0n;
  nonces.set(account, nonce + 1n);
  return signRaw(account, { to, data: hexToBytes(data), nonce, gasLimit: 1_000_000n, ...fields });
}

async function ask(name: string, ...args: readonly unknown[]): Promise<unknown> {
  const data = hexToBytes(token.encodeFunctionData(name, args));
  const outcome = await chain.execution.call({ to: POINTER, data }, chain.state, chain.context());
  expect(outcome.error).toBe('');
  return token.decodeFunctionResult(name, outcome.returnData)[0];
}
const hexOf = (account: typeof alice) => toHexData(account.evmAddress);

describe('a token pointer', () => {
  it('is registered by the precompile, which gives the same address again, and has code', async () => {
    const add = registry.encodeFunctionData('addNativePointer', [GOLD]);
    const { receipts } = await chain.block([
      evm(alice, POINTER_PRECOMPILE, add),
      evm(bob, POINTER_PRECOMPILE, add),
    ]);
    expect(receipts.map(({ status }) => status)).toEqual([1, 1]);
    const again = await chain.execution.call(
      { to: POINTER_PRECOMPILE, data: hexToBytes(add) },
      chain.state,
      chain.context(),
    );
    expect(toHexData(again.returnData)).toBe(toHexData(padLeft(POINTER, 32)));
    const { returnData } = await chain.execution.call(
      { to: POINTER, data: hexToBytes(token.encodeFunctionData('name')) },
      chain.state,
      chain.context(),
    );
    expect(token.decodeFunctionResult('name', returnData)[0]).toBe('Gold');
    expect(readPointer(chain.state, GOLD)).toMatchObject({ version: 1 });
    expect(toHexData(readPointer(chain.state, GOLD)!.address)).toBe(toHexData(POINTER));
    expect(toHexData(POINTER)).toBe(
      getCreate2Address(toHexData(POINTER_PRECOMPILE), id(GOLD), id('')).toLowerCase(),
    );
    expect(readPointee(chain.state, POINTER)).toBe(GOLD);
    expect(readCode(chain.state, POINTER).length).toBeGreaterThan(1000);
  });

  it('tells what the bank has', async () => {
    expect(await ask('symbol')).toBe('GOLD');
    expect(await ask('decimals')).toBe(6n);
    expect(await ask('totalSupply')).toBe(readSupply(chain.state, GOLD));
    expect(await ask('balanceOf', hexOf(alice))).toBe(1_000_000n);
  });

  it('moves bank balances and logs it', async () => {
    const { receipts } = await chain.block([
      evm(alice, POINTER, token.encodeFunctionData('transfer', [hexOf(bob), 10n])),
      evm(alice, POINTER, token.encodeFunctionData('approve', [hexOf(carol), 5n])),
      evm(carol, POINTER, token.encodeFunctionData('transferFrom', [hexOf(alice), hexOf(carol), 5n])),
      evm(carol, POINTER, token.encodeFunctionData('transferFrom', [hexOf(alice), hexOf(carol), 1n])),
      evm(bob, POINTER, token.encodeFunctionData('transfer', [hexOf(alice), 11_000_000n])),
    ]);
    expect(receipts.map(({ status }) => status)).toEqual([1, 1, 1, 0, 0]);
    expect(receipts[0]!.type).toBe(2);
    expect(
      token.parseLog({
        topics: receipts[0]!.logs[0]!.topics.map(toHexData),
        data: toHexData(receipts[0]!.logs[0]!.data),
      })!.args.value,
    ).toBe(10n);
    expect(token.parseError(toHexData(receipts[3]!.returnData))!.name).toBe('ERC20InsufficientAllowance');
    expect(token.parseError(toHexData(receipts[4]!.returnData))!.name).toBe('ERC20InsufficientBalance');
    expect(readUnits(chain.state, bob.chainAddress, GOLD)).toBe(1_000_010n);
    expect(readUnits(chain.state, carol.chainAddress, GOLD)).toBe(1_000_005n);
  });

  it('gives a ledger transfer a shell receipt', async () => {
    const send = await signLedger(alice, [sendMessage(alice.chainAddress, bob.chainAddress, '7', GOLD)], {
      accountNumber: 1,
      sequence: 0,
    });
    const { receipts, results } = await chain.block([send]);
    expect(results[0]).toMatchObject({ code: 0 });
    expect(receipts).toHaveLength(1);
    expect(receipts[0]).toMatchObject({ type: SYNTHETIC_TYPE, gasUsed: results[0]!.gasUsed });
    const other = await signLedger(
      alice,
      [
        {
          typeUrl: MsgRegisterPointer.typeUrl,
          value: { sender: toBech32(alice.chainAddress), denom: 'usilver' },
        },
      ],
      { accountNumber: 1, sequence: 1, fee: { amount: [{ denom: 'usei', amount: '2000' }], gas: '2000000' } },
    );
    const done = await chain.block([other]);
    expect(done.results[0]).toMatchObject({ code: 0 });
  });
});
