import { encode } from '@ethereumjs/rlp';
import {
  decodeTransaction,
  dumpedAccounts,
  type EvmBlock,
  type EvmEngine,
  type EvmFork,
  EvmState,
  type EvmTransaction,
  hasFork,
  recoverSenderKey,
} from '../../../node/src/evm/index.ts';
import {
  checkFeeCap,
  checkFunds,
  checkNonce,
  checkSenderIsNoContract,
  checkShape,
} from '../../../node/src/execution/transaction/admission.ts';
import { effectiveGasPrice, executeMessage } from '../../../node/src/execution/transaction/executeMessage.ts';
import {
  bigintToFixedBytes,
  bytesToHex,
  evmAddressOf,
  hexToBytes,
  keccak256,
  padLeft,
  utf8,
} from '../../../node/src/primitives/index.ts';
import { Overlay } from '../../../node/src/state/view/index.ts';
import type { EvmLog } from '../../../node/src/types/index.ts';
import { stateRoot, type WorldAccount } from './stateRoot.ts';
import type { Expectation, PreAccount, StateTest } from './stateTestCases.ts';

/** Of the fixtures. */
export const CHAIN_ID = 1n;
const NOTHING = { get: () => undefined, iterate: () => [] };

/** What a transaction of a fixture came to. */
export interface StateTestResult {
  /** More than one where an account without contents may have been touched or not. */
  readonly roots: readonly string[];
  readonly logs: string;
}

export interface StateTestRun {
  readonly test: StateTest;
  readonly expectation: Expectation;
  readonly fork: EvmFork;
  readonly engine: EvmEngine;
}

/**
 * Runs a fixture's transaction by Ethereum's rules of fees: the base fee is burned, the tip goes to the coinbase.
 * Throws a CodedError for a transaction that is not valid.
 */
export async function runStateTest({
  test,
  expectation,
  fork,
  engine,
}: StateTestRun): Promise<StateTestResult> {
  const overlay = new Overlay(NOTHING);
  const state = new EvmState(overlay);
  for (const [address, account] of Object.entries(test.pre)) place(state, hexToBytes(address), account);
  state.endTransaction();
  const block = blockOf(test.env, fork);
  const transaction = decodeTransaction(hexToBytes(expectation.txbytes));
  const logs = await applyTransaction(transaction, { state, block, engine });
  const accounts = [...dumpedAccounts(overlay)].map(worldAccount);
  return { roots: await rootsWith(accounts, emptyAccounts(test.pre)), logs: logsHash(logs) };
}

interface World {
  readonly state: EvmState;
  readonly block: EvmBlock;
  readonly engine: EvmEngine;
}

async function applyTransaction(transaction: EvmTransaction, world: World): Promise<readonly EvmLog[]> {
  const { state, block } = world;
  const { fork } = block;
  const needed = checkShape(replayProtected(transaction), {
    gasLimit: block.gasLimit,
    evmChainId: CHAIN_ID,
    fork,
  });
  const sender = evmAddressOf(recoverSenderKey(transaction));
  checkFeeCap(transaction, { baseFee: block.baseFee, minimumFee: 0n });
  checkFunds(transaction, state.balance(sender));
  checkNonce(transaction, state.nonce(sender), true);
  checkSenderIsNoContract(state.overlay, sender);
  const price = effectiveGasPrice(transaction, block.baseFee);
  state.setBalance(sender, state.balance(sender) - transaction.gasLimit * price);
  state.setNonce(sender, state.nonce(sender) + 1n);
  const { execution, gasUsed } = await executeMessage(
    { ...transaction, sender, intrinsicGas: needed, price },
    { ...world, precompiles: new Map() },
  );
  state.setBalance(sender, state.balance(sender) + (transaction.gasLimit - gasUsed) * price);
  const { coinbase } = block;
  state.setBalance(coinbase, state.balance(coinbase) + gasUsed * (price - block.baseFee));
  state.endTransaction();
  return execution.logs;
}

/** The fixtures sign legacy transactions for any chain, which is a matter of the chain's own rules. */
export function replayProtected(transaction: EvmTransaction): EvmTransaction {
  return { ...transaction, chainId: transaction.chainId ?? CHAIN_ID };
}

function blockOf(env: StateTest['env'], fork: EvmFork): EvmBlock {
  const quantity = (name: string): bigint => BigInt(env[name] ?? '0x0');
  const randomness = hasFork(fork, 'paris') ? quantity('currentRandom') : quantity('currentDifficulty');
  return {
    fork,
    chainId: CHAIN_ID,
    number: quantity('currentNumber'),
    timestamp: quantity('currentTimestamp'),
    nanos: 0,
    coinbase: hexToBytes(env.currentCoinbase!),
    prevRandao: bigintToFixedBytes(randomness, 32),
    gasLimit: quantity('currentGasLimit'),
    baseFee: hasFork(fork, 'london') ? quantity('currentBaseFee') : 0n,
    blobBaseFee: 1n,
    blockHash: (number) => keccak256(utf8(number.toString())),
  };
}

function place(state: EvmState, address: Uint8Array, { balance, nonce, code, storage }: PreAccount): void {
  state.setBalance(address, BigInt(balance));
  if (BigInt(nonce) > 0n) state.setNonce(address, BigInt(nonce));
  if (code !== '0x') state.setCode(address, hexToBytes(code));
  for (const [slot, word] of Object.entries(storage)) {
    state.setStorage(address, wordOf(slot), wordOf(word));
  }
}

function wordOf(hex: string): Uint8Array {
  return bigintToFixedBytes(BigInt(hex), 32);
}

/** Accounts that have nothing exist in the fixtures until something touches them; the ledger has no row of them. */
function emptyAccounts(pre: StateTest['pre']): readonly WorldAccount[] {
  return Object.entries(pre)
    .filter(([, { balance, nonce, code, storage }]) => {
      const hasNothing = BigInt(balance) === 0n && BigInt(nonce) === 0n && code === '0x';
      return hasNothing && Object.keys(storage).length === 0;
    })
    .map(([address]) => ({
      address: hexToBytes(address),
      nonce: 0n,
      balance: 0n,
      code: new Uint8Array(0),
      storage: [],
    }));
}

async function rootsWith(
  accounts: readonly WorldAccount[],
  empty: readonly WorldAccount[],
): Promise<readonly string[]> {
  const roots: string[] = [];
  const there = new Set(accounts.map(({ address }) => bytesToHex(address)));
  const untouched = empty.filter(({ address }) => !there.has(bytesToHex(address)));
  for (let chosen = 0; chosen < 2 ** untouched.length; chosen++) {
    roots.push(await stateRoot([...accounts, ...untouched.filter((_, i) => chosen & (1 << i))]));
  }
  return roots;
}

function worldAccount(account: ReturnType<typeof dumpedAccounts> extends Iterable<infer A> ? A : never) {
  const { address, nonce, wei, code, storage } = account;
  return {
    address,
    nonce,
    balance: wei,
    code,
    storage: storage.map(([slot, word]) => [slot, padLeft(word, 32)] as const),
  };
}

function logsHash(logs: readonly EvmLog[]): string {
  const items = logs.map(({ address, topics, data }) => [address, [...topics], data]);
  return `0x${bytesToHex(keccak256(encode(items)))}`;
}
