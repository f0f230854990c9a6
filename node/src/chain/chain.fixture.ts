import { join } from 'node:path';
import { Lifecycle, silentLogger } from '@chain/platform';
import { DATA_DIRS } from '@chain/platform/contract';
import { EMPTY_HASH, sealBlock } from '../comet/index.ts';
import { createEvmEngine, signedTransaction, signingHash, wrapEvmTransaction } from '../evm/index.ts';
import { createExecution, createGenesisState, parseGenesis } from '../execution/index.ts';
import { openHistory } from '../history/index.ts';
import {
  bytesToBigint,
  chainAddressOf,
  evmAddressOf,
  hexToBytes,
  publicKeyOf,
  signDigest,
  uncompressPublicKey,
} from '../primitives/index.ts';
import { openChangelog } from '../state/changelog/index.ts';
import { openStateCommit } from '../state/commit/index.ts';
import { openFlatKv } from '../state/flatKv/index.ts';
import { STORE_NAMES } from '../state/schema/index.ts';
import { openStateStore } from '../state/store/index.ts';
import type { Block, BlockRecord } from '../types/index.ts';
import type { Chain } from './chain.ts';
import type { ChainOptions, ChainParts } from './chainParts.ts';
import { openChain } from './openChain.ts';

const EVM_CHAIN_ID = 713_714n;
const PRIVATE_KEYS = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte));
const PUBLIC_KEYS = PRIVATE_KEYS.map((key) => publicKeyOf(key, true)!);
/** Funded at genesis. */
export const ACCOUNTS = PUBLIC_KEYS.map((key) => evmAddressOf(uncompressPublicKey(key)));

/** Owns nothing, receives. */
export const FRIEND = new Uint8Array(20).fill(0xfe);

const GENESIS = parseGenesis(
  createGenesisState({
    evmChainId: EVM_CHAIN_ID,
    accounts: PUBLIC_KEYS.map((publicKey, index) => ({
      evmAddress: ACCOUNTS[index]!,
      chainAddress: chainAddressOf(publicKey),
      publicKey,
      balanceWei: 10n ** 21n,
    })),
  }),
);

/** Init code of a contract that adds one to slot 0 on each call. */
export const STORE_COUNTER = hexToBytes('0x6960005460010160005500600052600a6016f3');

export interface OpenedChain {
  readonly chain: Chain;
  readonly parts: ChainParts;
  close(): Promise<void>;
}

/** A chain on the real rooms in `home`. */
export async function openTestChain(
  home: string,
  options: Partial<ChainOptions> & { readonly split?: boolean; readonly flatKv?: boolean } = {},
): Promise<OpenedChain> {
  const opened = new Lifecycle();
  const logger = silentLogger;
  const changelog = opened.own(
    await openChangelog({ directory: join(home, DATA_DIRS.changelog), segmentBytes: 16_384 }, { logger }),
  );
  const commitOptions = { directory: join(home, DATA_DIRS.memiavl), stores: STORE_NAMES };
  const stateCommit = opened.own(
    await openStateCommit(
      { ...commitOptions, snapshotInterval: 50, snapshotKeepRecent: 0 },
      { changelog, logger },
    ),
  );
  const stateStore = opened.own(
    await openStateStore(
      {
        home,
        backend: 'pebbledb',
        split: options.split ?? false,
        separateDbs: false,
        asyncWriteBuffer: 10,
        committedVersion: stateCommit.version,
      },
      { changelog, logger },
    ),
  );
  const history = opened.own(
    await openHistory({ directory: join(home, DATA_DIRS.history) }, { changelog, logger }),
  );
  const flatKv = options.flatKv
    ? opened.own(
        await openFlatKv(
          { directory: join(home, DATA_DIRS.flatKv) },
          { changelog, state: stateCommit, logger },
        ),
      )
    : undefined;
  const execution = createExecution({}, { engine: createEvmEngine({ chainId: EVM_CHAIN_ID }), logger });
  const clock = { now: () => 1_800_000_000_000 };
  const parts = {
    execution,
    changelog,
    stateCommit,
    stateStore,
    history,
    clock,
    logger,
    ...(flatKv && { flatKv }),
  };
  const genesis = { initialHeight: 1, gasLimit: 30_000_000n, state: GENESIS };
  const chain = opened.own(
    await openChain({ chainId: 'test-1', evmChainId: EVM_CHAIN_ID, genesis, ...options }, parts),
  );
  return { chain, parts, close: () => opened.close() };
}

/** A block for `height` on top of `last`, with hashes as far as this room looks at them. */
export function blockOf(
  height: number,
  txs: readonly Uint8Array[],
  last?: BlockRecord,
  appHash = EMPTY_HASH,
): Block {
  return sealBlock({
    header: {
      blockProtocol: 11n,
      appProtocol: 0n,
      chainId: 'test-1',
      height,
      time: { seconds: 1_700_000_000n + BigInt(height), nanos: 5 },
      lastBlockId: last?.block.id ?? { hash: new Uint8Array(0), partsTotal: 0, partsHash: new Uint8Array(0) },
      lastCommitHash: EMPTY_HASH,
      dataHash: EMPTY_HASH,
      validatorsHash: EMPTY_HASH,
      nextValidatorsHash: EMPTY_HASH,
      consensusHash: EMPTY_HASH,
      appHash,
      lastResultsHash: EMPTY_HASH,
      evidenceHash: EMPTY_HASH,
      proposerAddress: new Uint8Array(20).fill(9),
    },
    txs,
    lastCommit: new Uint8Array(0),
  });
}

/** A signed transaction of account `from`, as a ledger transaction. */
export function transaction(
  from: number,
  nonce: number,
  body: { readonly to: Uint8Array | null; readonly value?: bigint; readonly data?: Uint8Array },
): Uint8Array {
  const unsigned = {
    type: 2 as const,
    chainId: EVM_CHAIN_ID,
    nonce: BigInt(nonce),
    gasLimit: 300_000n,
    gasPrice: undefined,
    maxFeePerGas: 10n ** 12n,
    maxPriorityFeePerGas: 10n ** 9n,
    to: body.to,
    value: body.value ?? 0n,
    data: body.data ?? new Uint8Array(0),
    accessList: [],
    authorizationList: [],
  };
  const { signature, recoveryId } = signDigest(signingHash(unsigned), PRIVATE_KEYS[from]!);
  const r = bytesToBigint(signature.subarray(0, 32));
  const s = bytesToBigint(signature.subarray(32));
  return wrapEvmTransaction(signedTransaction(unsigned, { v: BigInt(recoveryId), r, s }));
}
