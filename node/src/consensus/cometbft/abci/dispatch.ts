import { CodedError } from '@chain/platform';
import type { Request, Response } from 'cosmjs-types/tendermint/abci/types';
import type { AbciHandlers } from './abciHandlers.ts';

type Answer = Response | Promise<Response>;

/** By the request's kind; each wraps the handler's answer into the response of the same kind. */
const KINDS: { readonly [K in keyof Required<Request>]: Dispatch<K> } = {
  echo: ({ message }) => ({ echo: { message } }),
  flush: () => ({ flush: {} }),
  info: async (request, app) => ({ info: await app.info(request) }),
  initChain: async (request, app) => ({ initChain: await app.initChain(request) }),
  query: async (request, app) => ({ query: await app.query(request) }),
  checkTx: async (request, app) => ({ checkTx: await app.checkTx(request) }),
  commit: async (_request, app) => ({ commit: await app.commit() }),
  listSnapshots: async (_request, app) => ({ listSnapshots: await app.listSnapshots() }),
  offerSnapshot: async (request, app) => ({ offerSnapshot: await app.offerSnapshot(request) }),
  loadSnapshotChunk: async (request, app) => ({ loadSnapshotChunk: await app.loadSnapshotChunk(request) }),
  applySnapshotChunk: async (request, app) => ({
    applySnapshotChunk: await app.applySnapshotChunk(request),
  }),
  prepareProposal: async (request, app) => ({ prepareProposal: await app.prepareProposal(request) }),
  processProposal: async (request, app) => ({ processProposal: await app.processProposal(request) }),
  extendVote: async (request, app) => ({ extendVote: await app.extendVote(request) }),
  verifyVoteExtension: async (request, app) => ({
    verifyVoteExtension: await app.verifyVoteExtension(request),
  }),
  finalizeBlock: async (request, app) => ({ finalizeBlock: await app.finalizeBlock(request) }),
};

type Dispatch<K extends keyof Request> = (request: NonNullable<Request[K]>, app: AbciHandlers) => Answer;

/** How metrics and logs name a request. */
export function kindOf(request: Request): keyof Request | undefined {
  return (Object.keys(KINDS) as (keyof Request)[]).find((kind) => request[kind] !== undefined);
}

/** Tag of `check_tx` in `Request`. */
const CHECK_TX_TAG = (8 << 3) | 2;

/** Whether an encoded request is one of CheckTx. */
export function isCheckTx(message: Uint8Array): boolean {
  return message[0] === CHECK_TX_TAG;
}

/** Throws CONSENSUS_ABCI_REQUEST, and what the handler throws. */
export function dispatch(kind: keyof Request | undefined, request: Request, app: AbciHandlers): Answer {
  if (!kind) {
    throw new CodedError(
      'CONSENSUS_ABCI_REQUEST',
      'an ABCI request is of no kind that is known; is it CometBFT v0.38 that connects?',
    );
  }
  return (KINDS[kind] as Dispatch<typeof kind>)(request[kind] as never, app);
}
