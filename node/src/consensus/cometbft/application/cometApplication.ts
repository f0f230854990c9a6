import { CodedError } from '@chain/platform';
import {
  CheckTxType,
  type RequestInitChain,
  type RequestProcessProposal,
  type ResponseInfo,
  type ResponseInitChain,
  type ResponseProcessProposal,
  ResponseProcessProposal_ProposalStatus as Verdict,
  ResponseVerifyVoteExtension_VerifyStatus as VoteVerdict,
} from 'cosmjs-types/tendermint/abci/types';
import type { AbciHandlers } from '../abci/abciHandlers.ts';
import type { ApplicationDeps, ApplicationOptions } from './applicationDeps.ts';
import { checkTx } from './checkTx.ts';
import { DecidedBlocks } from './decidedBlocks.ts';
import { prepareProposal, proposalProblem } from './proposals.ts';
import { queryToWire, validatorToWire } from './wire.ts';

const NO_BYTES = new Uint8Array(0);

export interface CometApplication {
  readonly handlers: AbciHandlers;
  /** Resolves when all that was committed is durable; to be awaited before the chain closes. */
  settled(): Promise<void>;
}

/** The chain as CometBFT's application. */
export function createCometApplication(options: ApplicationOptions, deps: ApplicationDeps): CometApplication {
  const blocks = new DecidedBlocks(options, deps);
  return { handlers: handlersOf(blocks, options, deps), settled: () => blocks.settled() };
}

/** What goes by the newest block, or by what it has left in the pool, waits for it. */
function handlersOf(blocks: DecidedBlocks, options: ApplicationOptions, deps: ApplicationDeps): AbciHandlers {
  return {
    info: async () => {
      await blocks.settled();
      deps.onHandshake();
      return info(options, deps);
    },
    initChain: (request) => initChain(request, options, deps),
    query: async ({ path, data, height, prove }) => {
      await blocks.settled();
      return queryToWire(await deps.queries.answerAbci({ path, data, height: Number(height), prove }));
    },
    checkTx: (request) =>
      request.type === CheckTxType.RECHECK
        ? blocks.settled().then(() => checkTx(request, deps.pool))
        : checkTx(request, deps.pool),
    prepareProposal: async (request) => {
      await blocks.settled();
      return { txs: prepareProposal(request, options, deps) };
    },
    processProposal: (request) => processProposal(request, options, deps),
    // Votes carry nothing of this application's.
    extendVote: () => ({ voteExtension: NO_BYTES }),
    verifyVoteExtension: ({ voteExtension }) => ({
      status: voteExtension.length === 0 ? VoteVerdict.ACCEPT : VoteVerdict.REJECT,
    }),
    finalizeBlock: (request) => blocks.finalizeBlock(request),
    commit: () => blocks.commit(),
    listSnapshots: () => deps.snapshots.listSnapshots(),
    loadSnapshotChunk: (request) => deps.snapshots.loadSnapshotChunk(request),
    offerSnapshot: (request) => deps.snapshots.offerSnapshot(request),
    applySnapshotChunk: (request) => deps.snapshots.applySnapshotChunk(request),
  };
}

/** Where the chain stands durably: CometBFT hands over again what it has above that. */
function info({ genesis, release }: ApplicationOptions, { chain }: ApplicationDeps): ResponseInfo {
  return {
    data: 'chaind',
    version: release,
    appVersion: genesis.consensusParams.version.app,
    lastBlockHeight: BigInt(chain.height),
    lastBlockAppHash: chain.height > 0 ? chain.appHash : NO_BYTES,
  };
}

/** Genesis itself is part of the first block; here it is only checked that both sides begin the same chain. */
function initChain(
  request: RequestInitChain,
  { genesis }: ApplicationOptions,
  { chain }: ApplicationDeps,
): ResponseInitChain {
  if (request.chainId !== genesis.chainId || Number(request.initialHeight) !== genesis.initialHeight) {
    throw new CodedError(
      'CONSENSUS_OTHER_CHAIN',
      `CometBFT begins chain ${request.chainId} at height ${request.initialHeight}, and this home's genesis.json is of ${genesis.chainId} at ${genesis.initialHeight}; give both the same file`,
      { fields: { chainId: request.chainId, expected: genesis.chainId } },
    );
  }
  return {
    validators: chain.validatorsAt(genesis.initialHeight).map(validatorToWire),
    appHash: chain.appHash,
  };
}

async function processProposal(
  { txs, height }: RequestProcessProposal,
  options: ApplicationOptions,
  deps: ApplicationDeps,
): Promise<ResponseProcessProposal> {
  const problem = await proposalProblem(txs, options, deps);
  if (problem === undefined) return { status: Verdict.ACCEPT };
  deps.logger.warn('A proposed block is refused', { height: Number(height), problem });
  return { status: Verdict.REJECT };
}
