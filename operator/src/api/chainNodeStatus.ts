import type { ValueOf } from './field.ts';
import { choice, flag, group, text, timestamp, whole } from './fieldKinds.ts';
import { NODE_CONDITIONS, NODE_PHASES } from './nodeConditions.ts';
import { conditionsField } from './status/conditionFields.ts';
import { MIGRATION_HISTORY, MIGRATION_STATUS } from './status/migrationFields.ts';

const url = (about: string) => text(about, { max: 512 });

export const CHAIN_NODE_STATUS = group('What the node is.', {
  observedGeneration: whole('Generation of the spec that the operator has seen.'),
  phase: choice('One word for people; programs look at the conditions.', NODE_PHASES),
  conditions: conditionsField(NODE_CONDITIONS),
  image: text('Image that runs.', { max: 512 }),
  nodeVersion: text('Release that runs.', { max: 64 }),
  nodeId: text('Id of the node among its peers.', { max: 64 }),
  configHash: text('Digest of the configuration that runs.', { max: 80 }),
  chain: group('What the node says of the chain.', {
    height: whole('Newest height.'),
    earliest: whole('Earliest height that can be asked.'),
    blockTime: timestamp('Time of the newest block.'),
    catchingUp: flag('It says that it is catching up.'),
    lag: whole('Blocks behind the highest node that is known.'),
    peers: whole('Its peers.'),
    checkedAt: timestamp('When it was asked.'),
  }),
  stateStore: group('The state store as it was found.', {
    backend: choice('Its database.', ['pebbledb', 'rocksdb']),
    evmSplit: flag('EVM state has a database of its own.'),
    layout: choice('Whether it was looked at.', ['unknown', 'empty', 'current']),
    activatedAt: timestamp('When this layout came to be.'),
    snapshotHeight: whole('Height of the snapshot that it was restored from.'),
    requestId: text('stateSync.requestId that was carried out.', { max: 63 }),
  }),
  signer: group('Of a validator: the key that it signs with.', {
    address: text('Its address, 40 hexadecimal digits.', { max: 40 }).required(),
    lease: text("Lease in the operator's namespace that says who signs with it, and what it has signed.", {
      max: 253,
    }).required(),
  }),
  storage: group('The volume.', {
    pvc: text('Its claim.', { max: 253 }),
    capacity: text('Its size.', { max: 32 }),
    requested: text('Size that was asked for.', { max: 32 }),
    usedPercent: whole('How full it is.', { max: 100 }),
    grownAt: timestamp('When it last grew by itself.'),
  }),
  endpoints: group('Where it is reached within the cluster.', {
    jsonRpc: url('JSON-RPC over HTTP.'),
    jsonRpcWs: url('JSON-RPC over WebSocket.'),
    rpc: url('Consensus RPC.'),
    grpc: url('gRPC.'),
    rest: url('REST.'),
    p2p: url('id@host:port for peers.'),
    metrics: url('Metrics.'),
  }),
  migration: MIGRATION_STATUS,
  migrationHistory: MIGRATION_HISTORY,
});

export type ChainNodeStatus = ValueOf<typeof CHAIN_NODE_STATUS>;
export type NodePhase = (typeof NODE_PHASES)[number];
