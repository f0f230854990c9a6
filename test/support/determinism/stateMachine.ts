import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@chain/platform';
import { resultsHash } from '../../../node/src/comet/index.ts';
import { createEvmEngine, type EvmEngineKind } from '../../../node/src/evm/index.ts';
import { createExecution, parseGenesis, readNextBaseFee } from '../../../node/src/execution/index.ts';
import { readEngineSets } from '../../../node/src/ledger/index.ts';
import { bytesToHex, keccak256, sha256, uint64ToBytes, utf8 } from '../../../node/src/primitives/index.ts';
import { openChangelog } from '../../../node/src/state/changelog/index.ts';
import { openStateCommit, type StateCommit } from '../../../node/src/state/commit/index.ts';
import { STORE_NAMES } from '../../../node/src/state/schema/index.ts';
import type { BlockContext, CommitVote, TransactionResult } from '../../../node/src/types/index.ts';
import { validatorGenesis } from '../validatorChain.ts';
import type { TestBlock } from './blockFile.ts';
import { decodeAll } from './decoders.ts';
import { shown } from './shown.ts';

const EVM_CHAIN_ID = 713_714n;
const CHAIN_ID = 'chain-local-1';
const START = 1_700_000_000n;
export const BLOCK_GAS = 30_000_000n;
/** How many accounts genesis has, with 100 tokens each; the first two validate. */
export const ACCOUNTS = 8;

/** What replicas of the chain must agree on, in memory trees of its own and nothing else. */
export interface StateMachine {
  readonly state: StateCommit;
  /** A block's app hash, results hash, and the hash of all else that it left, as one line. */
  run(block: TestBlock): Promise<{ readonly line: string; readonly results: readonly TransactionResult[] }>;
  close(): Promise<void>;
}

export async function openStateMachine(engine: EvmEngineKind): Promise<StateMachine> {
  const directory = mkdtempSync(join(tmpdir(), 'state-machine-'));
  const logger = silentLogger;
  const changelog = await openChangelog({ directory: join(directory, 'changelog') }, { logger });
  const state = await openStateCommit(
    {
      directory: join(directory, 'committer'),
      stores: STORE_NAMES,
      snapshotInterval: 0,
      snapshotKeepRecent: 0,
    },
    { changelog, logger },
  );
  const execution = createExecution(
    {},
    { engine: createEvmEngine({ chainId: EVM_CHAIN_ID, kind: engine }), logger },
  );
  const genesis = parseGenesis(JSON.parse(JSON.stringify(validatorGenesis({ stakes: [5e6, 4e6] }))), {
    chainId: CHAIN_ID,
    time: { seconds: START, nanos: 0 },
  });
  return {
    state,
    run: async ({ txs, inputs }) => {
      const context = contextOf(state);
      const isFirst = state.version === 0;
      const hash = keccak256(uint64ToBytes(BigInt(context.height)));
      const outcome = await execution.runBlock({ context, hash, txs, ...(isFirst && { genesis }) }, state);
      const appHash = state.apply({ version: context.height, stores: outcome.stores });
      const { results, receipts, events, validatorUpdates } = outcome;
      const rest = [results, receipts, events, validatorUpdates, decodeAll(inputs)];
      const hashes = [appHash, resultsHash(results), sha256(utf8(shown(rest)))];
      return { line: `${context.height} ${hashes.map(bytesToHex).join(' ')}`, results };
    },
    close: async () => {
      await state.close();
      await changelog.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function contextOf(state: StateCommit): BlockContext {
  const height = state.version + 1;
  const isFirst = state.version === 0;
  return {
    chainId: CHAIN_ID,
    evmChainId: EVM_CHAIN_ID,
    height,
    time: { seconds: START + BigInt(height), nanos: 0 },
    proposer: new Uint8Array(20),
    gasLimit: BLOCK_GAS,
    baseFee: isFirst ? 1_000_000_000n : readNextBaseFee(state),
    ...(!isFirst && { lastVotes: votesOf(state) }),
  };
}

function votesOf(state: StateCommit): CommitVote[] {
  return readEngineSets(state).next.map(({ publicKey, power }) => ({
    address: sha256(publicKey).subarray(0, 20),
    power,
    signed: true,
  }));
}
