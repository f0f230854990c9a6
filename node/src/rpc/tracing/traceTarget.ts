import { bytesToHex, equalBytes } from '../../primitives/index.ts';
import type { TraceConfig, TracedBlock } from '../../tracing/index.ts';
import type { BlockRecord, Receipt } from '../../types/index.ts';
import { missingData, requireHeld } from '../blocks/floors.ts';
import { listedReceipt } from '../blocks/listedTransactions.ts';
import { BLOCK_READS, heightOf } from '../blocks/resolveBlock.ts';
import type { BlockId } from '../codec/blockId.ts';
import { BEFORE_FIRST_BLOCK } from '../jobs/jobKind.ts';
import type { RpcDeps } from '../rpcDeps.ts';
import { RPC_CODE, RpcError, serverError } from '../rpcError.ts';
import type { Uses } from '../rpcMethod.ts';
import type { TraceBase } from './traceRunner.ts';

export const TRACE_READS = [...BLOCK_READS, 'limits', 'genesisChanges'] as const;
export type TraceReads = Uses<typeof TRACE_READS>;

/** The block to trace. Throws −32000 when it is unknown, pruned, genesis, or too far back. */
export function blockToTrace(deps: TraceReads, id: BlockId): BlockRecord {
  const record = id instanceof Uint8Array ? byHash(deps, id) : byHeight(deps, id);
  checkLookback(deps, record.block.header.height);
  return record;
}

function byHash({ history, genesisHash }: TraceReads, hash: Uint8Array): BlockRecord {
  if (equalBytes(hash, genesisHash)) throw serverError('genesis is not traceable');
  const record = history.blockByHash(hash);
  if (!record) throw serverError(`could not find block for hash ${bytesToHex(hash).toUpperCase()}`);
  return record;
}

function byHeight(deps: TraceReads, id: Exclude<BlockId, Uint8Array>): BlockRecord {
  const { chain, history } = deps;
  const height = id === 'earliest' ? 0 : heightOf(deps, id);
  if (height === 0) throw serverError('genesis is not traceable');
  if (height > chain.height) {
    throw serverError(`requested height ${height} is not yet available; safe latest is ${chain.height}`);
  }
  checkLookback(deps, height);
  const record = history.blockByHeight(height);
  if (!record) {
    requireHeld(deps, height, ['blocks', 'receipts']);
    throw serverError(`block ${height} is not held`);
  }
  return record;
}

/** Tags are resolved before: `latest` is always within reach. */
function checkLookback({ chain, limits }: TraceReads, height: number): void {
  const { lookbackBlocks } = limits.tracing;
  if (lookbackBlocks < 0 || height >= chain.height - lookbackBlocks) return;
  throw serverError(`block number ${height} is beyond max lookback of ${lookbackBlocks}`);
}

/** A block is run again on the state before it, the first one on genesis. Throws −32000 when that state is not there. */
export function stateBefore(
  { stateStore, initialHeight, genesisChanges }: TraceReads,
  height: number,
): TraceBase {
  if (height === initialHeight) return { version: BEFORE_FIRST_BLOCK, changes: genesisChanges(), height };
  const earliest = stateStore.earliestVersion;
  if (height > earliest) return { version: height - 1, height };
  throw new RpcError(
    RPC_CODE.server,
    `block ${height} cannot be traced: the state before it is not held; the first block that can be is ${earliest + 1}`,
    missingData(['state'], earliest + 1),
  );
}

/** A block, and the receipts of those of its transactions that are traced. */
export interface TracedRecord {
  readonly record: BlockRecord;
  readonly receipts: readonly Receipt[];
}

/** An EVM transaction to trace; `undefined` when there is none. Throws as `blockToTrace` does. */
export function tracedTransaction(deps: TraceReads, hash: Uint8Array): TracedRecord | undefined {
  const found = deps.history.transactionByHash(hash);
  const receipt = found && listedReceipt(found);
  if (!receipt) return undefined;
  const record = blockToTrace(deps, found.record.block.header.height);
  return { record, receipts: [receipt] };
}

/** A job that traces transactions of one block. Throws as `stateBefore` does. */
export function tracedJob(
  deps: TraceReads,
  { record, receipts }: TracedRecord,
  config: TraceConfig,
): { readonly base: TraceBase; readonly traced: TracedBlock } {
  const base = stateBefore(deps, record.block.header.height);
  return { base, traced: tracedBlock(record, receipts, { config, limits: deps.limits }) };
}

/** What to run again for the traces of `receipts`, all of them of one block. */
function tracedBlock(
  { block }: BlockRecord,
  receipts: readonly Receipt[],
  { config, limits }: { readonly config: TraceConfig; readonly limits: RpcDeps['limits'] },
): TracedBlock {
  const last = receipts.at(-1)?.ledgerIndex ?? -1;
  const { maxResultBytes, javaScript, hexWords, allowedTracers } = limits.tracing;
  return {
    hash: block.id.hash,
    txs: block.txs.slice(0, last + 1),
    receipts: receipts.map(({ ledgerIndex, transactionIndex, transactionHash, from, vmError }) => ({
      ledgerIndex,
      transactionIndex,
      transactionHash,
      from,
      vmError,
    })),
    config,
    limits: { maxResultBytes, javaScript, hexWords, allowedTracers },
  };
}
