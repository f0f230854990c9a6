import { isCodedError, type Logger, messageOf } from '@chain/platform';
import {
  ResponseApplySnapshotChunk_Result as ChunkResult,
  ResponseOfferSnapshot_Result as OfferResult,
  type RequestApplySnapshotChunk,
  type RequestOfferSnapshot,
  type ResponseApplySnapshotChunk,
  type ResponseOfferSnapshot,
} from 'cosmjs-types/tendermint/abci/types';
import { bytesToHex } from '../../../primitives/index.ts';
import {
  decodeChunkHashes,
  isSnapshotAtFault,
  type Restore,
  type SnapshotDescription,
} from '../../../state/snapshot/index.ts';
import type { SnapshotHandlers } from '../abci/abciHandlers.ts';

export interface SnapshotTakerDeps {
  /** Opens a restore into this home; `appHash` is what the light client has verified. See `Restore.offer`. */
  readonly open: (description: SnapshotDescription, appHash: Uint8Array) => Promise<Restore>;
  /** Whether the disk has room for so many bytes of state, and some beside. */
  readonly hasRoom: (bytes: number) => Promise<boolean>;
  /** Chunks that are applied, of all; a snapshot that was given up counts from nothing again. */
  readonly onProgress: (done: number, total: number) => void;
  /** Why the newest offer was turned down, or given up in its midst. */
  readonly onRefused: (height: number, reason: string) => void;
  /** The state is whole; CometBFT is answered when it resolves. */
  readonly onRestored: (restored: { height: number; appHash: Uint8Array }) => Promise<void>;
  readonly logger: Logger;
}

/** A chunk's bytes on disk once they are rows of SC and SS, as far as an offer tells. */
const ROWS_A_CHUNK_BYTES = 30_000_000;
/** So many senders in a row whose bytes are wrong for one chunk: then it is the snapshot's hashes that lie. */
const MAX_WRONG_CHUNKS = 8;
/** 100,000 hashes; larger metadata is an attack on memory. */
const MAX_METADATA_BYTES = 4 << 20;

/**
 * Takes a snapshot from peers that nobody trusts: what they say of it must agree with itself, every chunk with its
 * hash, and the whole with the app hash of the light client. A refusal is an answer, never an error, so that CometBFT
 * goes on with another snapshot or sender; only a fault of this machine ends the sync.
 */
export class SnapshotTaker implements Pick<SnapshotHandlers, 'offerSnapshot' | 'applySnapshotChunk'> {
  readonly #deps: SnapshotTakerDeps;
  #restore: Restore | undefined;
  /** Left in the midst of a chunk, perhaps. */
  #suspended: Restore | undefined;
  #applying: Promise<unknown> = Promise.resolve();
  #wrong = 0;

  constructor(deps: SnapshotTakerDeps) {
    this.#deps = deps;
  }

  /** Resolves when no chunk is being applied: one may be whose CometBFT has ended. */
  async idle(): Promise<void> {
    await this.#applying;
  }

  async offerSnapshot({ snapshot, appHash }: RequestOfferSnapshot): Promise<ResponseOfferSnapshot> {
    await this.idle();
    // CometBFT has given up the one before.
    await this.suspend();
    const { logger } = this.#deps;
    const fields = { height: Number(snapshot?.height), chunks: snapshot?.chunks };
    const refuse = (result: OfferResult, reason: string): ResponseOfferSnapshot => {
      logger.warn('A snapshot is refused', { ...fields, reason });
      this.#deps.onRefused(fields.height, reason);
      return { result };
    };
    if (!snapshot || appHash.length === 0) return refuse(OfferResult.REJECT, 'the offer is not whole');
    if (snapshot.metadata.length > MAX_METADATA_BYTES) {
      return refuse(OfferResult.REJECT_SENDER, 'its metadata is too large');
    }
    try {
      const description = {
        height: Number(snapshot.height),
        format: snapshot.format,
        chunks: snapshot.chunks,
        hash: snapshot.hash,
        chunkHashes: decodeChunkHashes(snapshot.metadata),
      };
      if (!(await this.#deps.hasRoom(snapshot.chunks * ROWS_A_CHUNK_BYTES))) {
        // Not the end: who lies about the number of chunks must not stop the sync.
        return refuse(OfferResult.REJECT, 'the disk has no room for what it says to hold; free some');
      }
      this.#restore = await this.#deps.open(description, appHash);
      logger.info('A snapshot is accepted', { ...fields, hash: bytesToHex(snapshot.hash) });
      this.#deps.onProgress(0, snapshot.chunks);
      return { result: OfferResult.ACCEPT };
    } catch (error) {
      const reason = messageOf(error);
      if (isCodedError(error, 'SNAPSHOT_FORMAT')) return refuse(OfferResult.REJECT_FORMAT, reason);
      if (isCodedError(error, 'SNAPSHOT_DESCRIPTION')) return refuse(OfferResult.REJECT_SENDER, reason);
      logger.error('State sync cannot go on', { ...fields, error });
      return { result: OfferResult.ABORT };
    }
  }

  applySnapshotChunk(request: RequestApplySnapshotChunk): Promise<ResponseApplySnapshotChunk> {
    const applied = this.#applyChunk(request);
    this.#applying = applied.catch(() => undefined);
    return applied;
  }

  async #applyChunk(request: RequestApplySnapshotChunk): Promise<ResponseApplySnapshotChunk> {
    const { index, chunk, sender } = request;
    const restore = this.#restore;
    if (!restore) return answer(ChunkResult.ABORT);
    try {
      if (!(await this.#deps.hasRoom(ROWS_A_CHUNK_BYTES))) {
        return await this.#giveUp(sender, 'the disk is nearly full, which a snapshot of lies does');
      }
      await restore.applyChunk(index, chunk);
      this.#wrong = 0;
      const { chunks } = restore.description;
      this.#deps.onProgress(restore.nextChunk, chunks);
      if (restore.nextChunk === chunks) await this.#finish(restore);
      return answer(ChunkResult.ACCEPT);
    } catch (error) {
      // The node stops: nobody waits for this answer.
      if (this.#suspended === restore) return answer(ChunkResult.ABORT);
      return this.#refuse(request, error);
    }
  }

  /** Leaves what is restored so far, for the next offer of the same snapshot. */
  async suspend(): Promise<void> {
    const restore = this.#restore;
    this.#restore = undefined;
    this.#suspended = restore;
    this.#wrong = 0;
    await restore?.suspend();
  }

  async #finish(restore: Restore): Promise<void> {
    const { appHash, rows } = await restore.finish();
    this.#restore = undefined;
    const { height } = restore.description;
    this.#deps.logger.info('The snapshot is restored', { height, rows, appHash: bytesToHex(appHash) });
    await this.#deps.onRestored({ height, appHash });
  }

  async #refuse(
    { index, sender }: RequestApplySnapshotChunk,
    error: unknown,
  ): Promise<ResponseApplySnapshotChunk> {
    const { logger } = this.#deps;
    if (isCodedError(error, 'SNAPSHOT_CHUNK_HASH')) {
      this.#wrong++;
      if (this.#wrong >= MAX_WRONG_CHUNKS) {
        return this.#giveUp(sender, `nobody has chunk ${index} as its metadata says`);
      }
      logger.warn('A chunk is refused, and its sender', { index, sender, reason: error.message });
      return { ...answer(ChunkResult.RETRY), refetchChunks: [index], rejectSenders: senders(sender) };
    }
    // Every chunk had its hash, so whoever made the snapshot lied.
    if (isSnapshotAtFault(error)) return this.#giveUp(sender, error.message);
    const restore = this.#restore;
    this.#restore = undefined;
    await restore?.endAfter(error);
    // After `finish` there is no restore any more: what fails then is the opening of the node.
    if (!restore) throw error;
    logger.error('State sync cannot go on', { index, error });
    return answer(ChunkResult.ABORT);
  }

  /** Nothing of this snapshot stays. */
  async #giveUp(sender: string, reason: string): Promise<ResponseApplySnapshotChunk> {
    const restore = this.#restore;
    this.#restore = undefined;
    await restore?.abort();
    const height = restore?.description.height ?? 0;
    this.#deps.logger.warn('A snapshot is given up', { height, sender, reason });
    this.#deps.onRefused(height, reason);
    return { ...answer(ChunkResult.REJECT_SNAPSHOT), rejectSenders: senders(sender) };
  }
}

const answer = (result: ChunkResult): ResponseApplySnapshotChunk => ({
  result,
  refetchChunks: [],
  rejectSenders: [],
});

const senders = (sender: string): string[] => (sender === '' ? [] : [sender]);
