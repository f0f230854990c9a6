import type {
  RequestApplySnapshotChunk,
  RequestCheckTx,
  RequestExtendVote,
  RequestFinalizeBlock,
  RequestInfo,
  RequestInitChain,
  RequestLoadSnapshotChunk,
  RequestOfferSnapshot,
  RequestPrepareProposal,
  RequestProcessProposal,
  RequestQuery,
  RequestVerifyVoteExtension,
  ResponseApplySnapshotChunk,
  ResponseCheckTx,
  ResponseCommit,
  ResponseExtendVote,
  ResponseFinalizeBlock,
  ResponseInfo,
  ResponseInitChain,
  ResponseListSnapshots,
  ResponseLoadSnapshotChunk,
  ResponseOfferSnapshot,
  ResponsePrepareProposal,
  ResponseProcessProposal,
  ResponseQuery,
  ResponseVerifyVoteExtension,
} from 'cosmjs-types/tendermint/abci/types';

type Answer<T> = T | Promise<T>;

/**
 * The snapshot connection (state sync). CometBFT asks one thing at a time. What a handler throws ends the whole
 * sync on CometBFT's side, so a refusal of a snapshot, a chunk or a sender is an answer, not an error.
 */
export interface SnapshotHandlers {
  /** What this node serves to peers. */
  listSnapshots(): Answer<ResponseListSnapshots>;
  /** An empty chunk says that it is not there. */
  loadSnapshotChunk(request: RequestLoadSnapshotChunk): Answer<ResponseLoadSnapshotChunk>;
  /** A peer's snapshot, with the app hash that the light client has verified for its height. */
  offerSnapshot(request: RequestOfferSnapshot): Answer<ResponseOfferSnapshot>;
  /** The chunks of the accepted snapshot, in order. */
  applySnapshotChunk(request: RequestApplySnapshotChunk): Answer<ResponseApplySnapshotChunk>;
}

/** The consensus connection: blocks, one after another. */
export interface ConsensusHandlers {
  /** A chain's first start: what genesis says, before the first block. */
  initChain(request: RequestInitChain): Answer<ResponseInitChain>;
  prepareProposal(request: RequestPrepareProposal): Answer<ResponsePrepareProposal>;
  processProposal(request: RequestProcessProposal): Answer<ResponseProcessProposal>;
  extendVote(request: RequestExtendVote): Answer<ResponseExtendVote>;
  verifyVoteExtension(request: RequestVerifyVoteExtension): Answer<ResponseVerifyVoteExtension>;
  finalizeBlock(request: RequestFinalizeBlock): Answer<ResponseFinalizeBlock>;
  commit(): Answer<ResponseCommit>;
}

/** The application as CometBFT v0.38 calls it (ABCI 2.0), without Echo and Flush, which the server answers. */
export interface AbciHandlers extends ConsensusHandlers, SnapshotHandlers {
  /** On the query connection; also what a handshake goes by. */
  info(request: RequestInfo): Answer<ResponseInfo>;
  query(request: RequestQuery): Answer<ResponseQuery>;
  /** The mempool connection. */
  checkTx(request: RequestCheckTx): Answer<ResponseCheckTx>;
}
