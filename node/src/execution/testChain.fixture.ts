import { silentLogger } from '@chain/platform';
import {
  type Authorization,
  authorizationHash,
  createEvmEngine,
  type EvmEngine,
  signedTransaction,
  signingHash,
  type UnsignedEvmTransaction,
  wrapEvmTransaction,
} from '../evm/index.ts';
import {
  bytesToBigint,
  chainAddressOf,
  compareBytes,
  evmAddressOf,
  hexToBytes,
  keccak256,
  publicKeyOf,
  signDigest,
  uint64ToBytes,
} from '../primitives/index.ts';
import type { Signatures } from '../signatures/index.ts';
import type { KeyRange, KeyValue, PointReads, RangeReads } from '../state/view/index.ts';
import type { BlockContext, StoreChanges } from '../types/index.ts';
import type { BlockOutcome } from './blockOutcome.ts';
import { createExecution, type Execution, type ExecutionOptions } from './execution.ts';
import { readNextBaseFee } from './feeMarket/baseFee.ts';
import { createGenesisState } from './genesis/createGenesis.ts';
import { parseGenesis } from './genesis/parseGenesis.ts';

const EVM_CHAIN_ID = 713_714n;
export const GWEI = 10n ** 9n;
export const TOKEN = 10n ** 18n;

/** Keys that a test signs with: always the same. */
export interface TestAccount {
  readonly privateKey: Uint8Array;
  readonly publicKey: Uint8Array;
  readonly evmAddress: Uint8Array;
  readonly chainAddress: Uint8Array;
}

export function testAccount(seed: number): TestAccount {
  const privateKey = new Uint8Array(32).fill(seed + 1);
  const publicKey = publicKeyOf(privateKey, true)!;
  return {
    privateKey,
    publicKey,
    evmAddress: evmAddressOf(publicKeyOf(privateKey, false)!),
    chainAddress: chainAddressOf(publicKey),
  };
}

/** A transaction's fields, all optional but what the test is about: a plain call with ample gas. */
export type TestTransaction = Partial<UnsignedEvmTransaction>;

function sign(account: TestAccount, fields: TestTransaction) {
  const type = fields.type ?? 2;
  const unsigned: UnsignedEvmTransaction = {
    type,
    chainId: EVM_CHAIN_ID,
    nonce: 0n,
    gasLimit: 200_000n,
    gasPrice: undefined,
    maxFeePerGas: 10n * GWEI,
    maxPriorityFeePerGas: type < 2 ? 10n * GWEI : GWEI,
    to: null,
    value: 0n,
    data: new Uint8Array(0),
    accessList: [],
    authorizationList: [],
    ...fields,
  };
  const { signature, recoveryId } = signDigest(signingHash(unsigned), account.privateKey);
  const base = type > 0 ? 0n : unsigned.chainId === undefined ? 27n : 35n + 2n * unsigned.chainId;
  return signedTransaction(unsigned, {
    v: base + BigInt(recoveryId),
    r: bytesToBigint(signature.subarray(0, 32)),
    s: bytesToBigint(signature.subarray(32)),
  });
}

/** The same as ledger bytes. */
export function signRaw(account: TestAccount, fields: TestTransaction): Uint8Array {
  return wrapEvmTransaction(sign(account, fields));
}

export function authorize(account: TestAccount, address: Uint8Array, nonce: bigint): Authorization {
  const wish = { chainId: EVM_CHAIN_ID, address, nonce };
  const { signature, recoveryId } = signDigest(authorizationHash(wish), account.privateKey);
  return {
    ...wish,
    yParity: BigInt(recoveryId),
    r: bytesToBigint(signature.subarray(0, 32)),
    s: bytesToBigint(signature.subarray(32)),
  };
}

/** State as maps: the newest committed one. */
class MapState implements PointReads, RangeReads {
  readonly #stores = new Map<string, Map<string, Uint8Array>>();

  get(store: string, key: Uint8Array): Uint8Array | undefined {
    return this.#stores.get(store)?.get(Buffer.from(key).toString('latin1'));
  }

  iterate(store: string, { start, end, reverse }: KeyRange = {}): KeyValue[] {
    const rows = this.rows(store)
      .filter(([key]) => (!start || compareBytes(key, start) >= 0) && (!end || compareBytes(key, end) < 0))
      .sort(([a], [b]) => compareBytes(a, b));
    return reverse ? rows.toReversed() : rows;
  }

  rows(store: string): KeyValue[] {
    return [...(this.#stores.get(store) ?? [])].map(([key, value]) => [Buffer.from(key, 'latin1'), value]);
  }

  apply(stores: readonly StoreChanges[]): void {
    for (const { store, changes } of stores) {
      const rows = this.#stores.get(store) ?? new Map<string, Uint8Array>();
      this.#stores.set(store, rows);
      for (const { key, value } of changes) {
        const name = Buffer.from(key).toString('latin1');
        if (value) rows.set(name, value);
        else rows.delete(name);
      }
    }
  }
}

/** A chain of blocks over a map, with the real engine. Accounts 0 to 2 hold 100 tokens and are associated. */
export class TestChain {
  readonly state = new MapState();
  readonly execution: Execution;
  height = 0;

  constructor(
    engine: EvmEngine = createEvmEngine({ chainId: EVM_CHAIN_ID }),
    options: ExecutionOptions = {},
    signatures?: Signatures,
  ) {
    this.execution = createExecution(options, { engine, logger: silentLogger, signatures });
  }

  static async start(
    appState: unknown = developmentGenesis(),
    engine?: EvmEngine,
    options?: ExecutionOptions,
    signatures?: Signatures,
  ): Promise<TestChain> {
    const chain = new TestChain(engine, options, signatures);
    await chain.block([], { genesis: appState });
    return chain;
  }

  /** Of the block to come. */
  context(changes: Partial<BlockContext> = {}): BlockContext {
    return {
      chainId: 'chain-local-1',
      evmChainId: EVM_CHAIN_ID,
      height: this.height + 1,
      time: { seconds: 1_700_000_000n + BigInt(this.height), nanos: 0 },
      proposer: new Uint8Array(20),
      gasLimit: 10_000_000n,
      baseFee: readNextBaseFee(this.state),
      ...changes,
    };
  }

  async block(
    txs: readonly Uint8Array[],
    { genesis, ...changes }: Partial<BlockContext> & { genesis?: unknown } = {},
  ): Promise<BlockOutcome> {
    const origin = { chainId: 'chain-local-1', time: { seconds: 1_700_000_000n, nanos: 0 } };
    const parsed = genesis === undefined ? undefined : parseGenesis(genesis, origin);
    const context = this.context(changes);
    const outcome = await this.execution.runBlock(
      { context, hash: keccak256(uint64ToBytes(BigInt(context.height))), txs, genesis: parsed },
      this.state,
    );
    this.state.apply(outcome.stores);
    this.height++;
    return outcome;
  }
}

export function developmentGenesis() {
  const accounts = [0, 1, 2].map((seed) => ({ ...testAccount(seed), balanceWei: 100n * TOKEN }));
  return createGenesisState({ evmChainId: EVM_CHAIN_ID, accounts });
}

/** Init code that deploys `runtime` (at most 255 bytes). */
export function deployer(runtime: Uint8Array): Uint8Array {
  const length = runtime.length.toString(16).padStart(2, '0');
  return Buffer.concat([hexToBytes(`60${length}80600b6000396000f3`), runtime]);
}

/** Adds one to slot 0, logs and returns the sum. */
export const COUNTER = hexToBytes('6000546001018060005560005260206000a060206000f3');

/** Reverts with `data` (at most 255 bytes). */
export function reverter(data: Uint8Array): Uint8Array {
  const length = data.length.toString(16).padStart(2, '0');
  return Buffer.concat([hexToBytes(`60${length}600c60003960${length}6000fd`), data]);
}
