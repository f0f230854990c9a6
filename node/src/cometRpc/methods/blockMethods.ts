import { type Commit, decodeCommit, NO_BLOCK_ID } from '../../comet/index.ts';
import type { BlockRecord } from '../../types/index.ts';
import type { CometDeps } from '../cometDeps.ts';
import { type CometMethod, cometMethod } from '../cometMethod.ts';
import { blockMetaJson, commitJson, headerJson, identifiedBlockJson } from '../json/blockJson.ts';
import { eventsJson, resultJson } from '../json/resultJson.ts';
import { validatorUpdateJson } from '../json/validatorJson.ts';
import { base64, blockIdJson, type Json } from '../json/values.ts';
import { bytes, hex, integer, optionalInteger } from '../params/paramKinds.ts';
import { rpcFailure } from '../rpcFailure.ts';
import { resolveBlock } from './heights.ts';

const MAX_BLOCK_METAS = 20;

function foundBlock(record: BlockRecord | undefined): Json {
  return record ? identifiedBlockJson(record.block) : { block_id: blockIdJson(NO_BLOCK_ID), block: null };
}

function foundHeader(record: BlockRecord | undefined): Json {
  return { header: record ? headerJson(record.block.header) : null };
}

/** The next block holds a block's commit; the newest one's is with the engine. */
function commitOf(
  height: number,
  { history, consensus }: CometDeps,
): { commit: Commit; isCanonical: boolean } {
  const next = history.blockByHeight(height + 1);
  if (next) return { commit: decodeCommit(next.block.lastCommit), isCanonical: true };
  return { commit: consensus.lastCommit, isCanonical: false };
}

/** The app hash after a block stands in the next header. */
function appHashAfter(height: number, { history, chain }: CometDeps): Uint8Array {
  return history.blockByHeight(height + 1)?.block.header.appHash ?? chain.appHash;
}

export const blockMethods: readonly CometMethod[] = [
  cometMethod({
    name: 'blockchain',
    summary: 'Headers and ids of up to 20 blocks, newest first',
    params: { minHeight: integer, maxHeight: integer },
    handle: ({ minHeight, maxHeight }, { deps: { chain, history } }) => {
      if (minHeight < 0 || maxHeight < 0) throw rpcFailure('heights must be non-negative');
      const last = Math.min(chain.height, maxHeight === 0 ? chain.height : maxHeight);
      const wanted = Math.max(history.earliestHeight, minHeight === 0 ? 1 : minHeight);
      const first = Math.max(wanted, last - MAX_BLOCK_METAS + 1);
      if (first > last) throw rpcFailure(`min height ${first} can't be greater than max height ${last}`);
      const records = Array.from({ length: last - first + 1 }, (_, i) => history.blockByHeight(last - i));
      return {
        last_height: String(chain.height),
        block_metas: records.flatMap((record) => (record ? [blockMetaJson(record.block)] : [])),
      };
    },
  }),
  cometMethod({
    name: 'block',
    summary: 'A block and its id; the newest one without a height',
    params: { height: optionalInteger },
    cacheable: 'height',
    handle: ({ height }, { deps }) => foundBlock(resolveBlock(height, deps)),
  }),
  cometMethod({
    name: 'block_by_hash',
    summary: 'The block with this hash, or `block: null`',
    params: { hash: bytes },
    handle: ({ hash }, { deps }) => foundBlock(deps.history.blockByHash(hash)),
  }),
  cometMethod({
    name: 'block_results',
    summary: 'What the transactions of a block led to, and the app hash after it',
    params: { height: optionalInteger },
    cacheable: 'height',
    handle: ({ height }, { deps }) => {
      const record = resolveBlock(height, deps);
      if (!record) throw rpcFailure(`could not find results for height #${height ?? deps.chain.height}`);
      const { header } = record.block;
      const lowest = deps.history.earliestReceiptHeight;
      if (header.height < lowest) {
        throw rpcFailure(`results of height ${header.height} are not available, lowest height is ${lowest}`);
      }
      return {
        height: String(header.height),
        txs_results: record.results.length === 0 ? null : record.results.map(resultJson),
        finalize_block_events: record.events.length === 0 ? null : eventsJson(record.events),
        validator_updates:
          record.validatorUpdates.length === 0 ? null : record.validatorUpdates.map(validatorUpdateJson),
        consensus_param_updates: null,
        app_hash: base64(appHashAfter(header.height, deps)),
      };
    },
  }),
  cometMethod({
    name: 'commit',
    summary: 'A header and the signatures under it; `canonical` once the next block holds them',
    params: { height: optionalInteger },
    cacheable: 'height',
    handle: ({ height }, { deps }) => {
      const record = resolveBlock(height, deps);
      if (!record) return null;
      const { header } = record.block;
      const { commit, isCanonical } = commitOf(header.height, deps);
      return {
        signed_header: { header: headerJson(header), commit: commitJson(commit) },
        canonical: isCanonical,
      };
    },
  }),
  cometMethod({
    name: 'header',
    summary: 'A header; the newest one without a height',
    params: { height: optionalInteger },
    cacheable: 'height',
    handle: ({ height }, { deps }) => foundHeader(resolveBlock(height, deps)),
  }),
  cometMethod({
    name: 'header_by_hash',
    summary: 'The header of the block with this hash, or `null`',
    params: { hash: hex },
    handle: ({ hash }, { deps }) => foundHeader(deps.history.blockByHash(hash)),
  }),
];
