import { parseJson } from '@chain/platform';
import { consensusAddress } from '../../comet/index.ts';
import { equalBytes } from '../../primitives/index.ts';
import type { BlockRecord } from '../../types/index.ts';
import type { CometDeps } from '../cometDeps.ts';
import { type CometMethod, cometMethod } from '../cometMethod.ts';
import { publicKeyJson } from '../json/validatorJson.ts';
import { type Json, timeJson, upperHex } from '../json/values.ts';
import { unsignedInteger } from '../params/paramKinds.ts';
import { rpcFailure } from '../rpcFailure.ts';

const GENESIS_CHUNK_BYTES = 16 << 20;
/** 1970-01-01 in CometBFT's words, where there is no block. */
const NO_TIME = '1970-01-01T00:00:00Z';

function nodeInfoJson({ nodeInfo }: CometDeps): Json {
  const { protocols, id, p2pAddress, rpcAddress, network, version, channels, moniker, indexing } = nodeInfo;
  return {
    protocol_version: {
      p2p: String(protocols.p2p),
      block: String(protocols.block),
      app: String(protocols.app),
    },
    id,
    listen_addr: p2pAddress,
    network,
    version,
    channels,
    moniker,
    other: { tx_index: indexing ? 'on' : 'off', rpc_address: rpcAddress },
  };
}

function endJson(end: 'latest' | 'earliest', record: BlockRecord | undefined, height: number): Json {
  const header = record?.block.header;
  return {
    [`${end}_block_hash`]: record ? upperHex(record.block.id.hash) : '',
    [`${end}_app_hash`]: header ? upperHex(header.appHash) : '',
    [`${end}_block_height`]: String(height),
    [`${end}_block_time`]: header ? timeJson(header.time) : NO_TIME,
  };
}

function ownPower({ consensus, chain }: CometDeps): bigint {
  const own = consensus
    .validatorsAt(chain.nextHeight)
    .find(({ publicKey }) => equalBytes(publicKey, consensus.publicKey));
  return own?.power ?? 0n;
}

function genesisChunks({ genesisJson }: CometDeps): Buffer[] {
  const document = Buffer.from(genesisJson, 'utf8');
  const count = Math.ceil(document.length / GENESIS_CHUNK_BYTES);
  return Array.from({ length: count }, (_, i) =>
    document.subarray(i * GENESIS_CHUNK_BYTES, (i + 1) * GENESIS_CHUNK_BYTES),
  );
}

export const nodeMethods: readonly CometMethod[] = [
  cometMethod({
    name: 'health',
    summary: 'An empty object while the node answers',
    params: {},
    handle: () => ({}),
  }),
  cometMethod({
    name: 'status',
    summary: 'The node, the blocks that it has, and its validator key',
    params: {},
    handle: (_params, { deps }) => {
      const { chain, history, consensus } = deps;
      const earliest = history.earliestHeight;
      return {
        node_info: nodeInfoJson(deps),
        sync_info: {
          ...(endJson('latest', history.blockByHeight(chain.height), chain.height) as object),
          ...(endJson('earliest', history.blockByHeight(earliest), earliest) as object),
          // The embedded engine makes the blocks: there is nobody to catch up with.
          catching_up: false,
        },
        validator_info: {
          address: upperHex(consensusAddress(consensus.publicKey)),
          pub_key: publicKeyJson(consensus.publicKey),
          voting_power: String(ownPower(deps)),
        },
      };
    },
  }),
  cometMethod({
    name: 'net_info',
    summary: 'Peers; the embedded engine has none and does not listen for any',
    params: {},
    handle: () => ({ listening: false, listeners: [], n_peers: '0', peers: [] }),
  }),
  cometMethod({
    name: 'genesis',
    summary: 'The genesis document, up to 16 MiB of it',
    params: {},
    cacheable: true,
    handle: (_params, { deps }) => {
      if (genesisChunks(deps).length > 1) {
        throw rpcFailure('genesis response is large, please use the genesis_chunked API instead');
      }
      return { genesis: parseJson(deps.genesisJson) as Json };
    },
  }),
  cometMethod({
    name: 'genesis_chunked',
    summary: 'One piece of 16 MiB of the genesis document, base64; pieces are numbered from 0',
    params: { chunk: unsignedInteger },
    cacheable: true,
    handle: ({ chunk }, { deps }) => {
      const chunks = genesisChunks(deps);
      const found = chunks[chunk];
      if (!found) throw rpcFailure(`there are ${chunks.length - 1} chunks, ${chunk} is invalid`);
      return { chunk: String(chunk), total: String(chunks.length), data: found.toString('base64') };
    },
  }),
];
