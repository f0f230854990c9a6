import assert from 'node:assert';
import { readFileSync } from 'node:fs';
import { Interface } from 'ethers';
import { pointerAddressOf } from '../../node/src/ledger/index.ts';
import { hexToBytes, toHexData } from '../../node/src/primitives/index.ts';
import { compileContracts } from '../support/contracts.ts';
import { GOLD } from '../support/goldGenesis.ts';
import { accounts, LedgerChain, VALIDATOR } from '../support/ledgerChain.ts';
import type { BenchOptions, Report } from './bench.ts';

const [owner, friend] = accounts;
const at = (last: string): Uint8Array => hexToBytes(last.padStart(40, '0'));
const ERC20 = new Interface([
  'function balanceOf(address) view returns (uint256)',
  'function transfer(address to, uint256 value) returns (bool)',
]);

interface Subject {
  readonly name: string;
  readonly to: Uint8Array;
  readonly data: string;
}

/** Calls of precompiles and of a token pointer in this process, beside the same of a plain ERC-20 contract. */
export async function run(report: Report, { full }: BenchOptions): Promise<void> {
  const ledger = await LedgerChain.start();
  const token = await deployToken(ledger);
  await registerPointer(ledger);
  const abi = (name: string) => new Interface(readFileSync(`docs/abi/${name}.json`, 'utf8'));
  const [bank, staking] = [abi('bank'), abi('staking')];
  const me = toHexData(owner.evmAddress);
  const balance = ERC20.encodeFunctionData('balanceOf', [me]);
  const transfer = ERC20.encodeFunctionData('transfer', [toHexData(friend.evmAddress), 1n]);
  const views: readonly Subject[] = [
    { name: 'bank.balance', to: at('1001'), data: bank.encodeFunctionData('balance', [me, GOLD]) },
    {
      name: 'staking.delegation',
      to: at('1005'),
      data: staking.encodeFunctionData('delegation', [me, VALIDATOR]),
    },
    {
      name: 'staking.validators',
      to: at('1005'),
      data: staking.encodeFunctionData('validators', ['', '0x']),
    },
    { name: 'balanceOf of a token pointer', to: pointerAddressOf(GOLD), data: balance },
  ];
  const plain = { name: 'balanceOf', to: token, data: balance };
  const writes = [{ name: 'transfer of a token pointer', to: pointerAddressOf(GOLD), data: transfer }];
  const seconds = full ? 5 : 1;
  await compare(views, plain);
  await compare(writes, { name: 'transfer', to: token, data: transfer });

  async function compare(subjects: readonly Subject[], peer: Subject): Promise<void> {
    const all = [...subjects, peer];
    const rates = all.map(() => 0);
    for (const subject of all) await callsPerSecond(subject, 0.2);
    // In turns, so that what else the machine does strikes all alike.
    for (let turn = 0; turn < 3; turn++) {
      for (const [i, subject] of all.entries()) rates[i]! += (await callsPerSecond(subject, seconds / 3)) / 3;
    }
    const limit = rates.at(-1)!;
    const shown = `${peer.name} of a plain ERC-20 (${Math.round(limit)}/s)`;
    for (const [i, { name }] of subjects.entries()) {
      report({ name, value: rates[i]!, unit: 'calls/s', peer: shown, ratio: rates[i]! / limit });
    }
  }

  async function callsPerSecond({ to, data }: Subject, duration: number): Promise<number> {
    const fields = { to, data: hexToBytes(data), from: owner.evmAddress };
    let calls = 0;
    const started = performance.now();
    const end = started + duration * 1000;
    for (; performance.now() < end; calls++) assert.equal((await ledger.call(fields)).error, '');
    return (calls * 1000) / (performance.now() - started);
  }
}

async function deployToken(ledger: LedgerChain): Promise<Uint8Array> {
  const { bytecode, abi } = compileContracts().Token;
  const token = new Interface(JSON.stringify(abi));
  const data = hexToBytes(bytecode + token.encodeDeploy(['Plain', 'PLN']).slice(2));
  const created = await ledger.run(owner, { to: null, data, gasLimit: 6_000_000n });
  const minting = hexToBytes(token.encodeFunctionData('mint', [toHexData(owner.evmAddress), 1_000_000n]));
  const minted = await ledger.run(owner, { to: created.contractAddress, data: minting });
  assert.deepEqual([created.status, minted.status], [1, 1]);
  return created.contractAddress!;
}

async function registerPointer(ledger: LedgerChain): Promise<void> {
  const pointers = new Interface(['function addNativePointer(string token) payable returns (address)']);
  const data = hexToBytes(pointers.encodeFunctionData('addNativePointer', [GOLD]));
  assert.equal((await ledger.run(owner, { to: at('100b'), data, gasLimit: 6_000_000n })).status, 1);
}
