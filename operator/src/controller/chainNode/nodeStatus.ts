import { isDeepStrictEqual } from 'node:util';
import { type NodeReport, PORTS } from '@chain/platform/contract';
import { type ChainNode, type ChainNodeStatus, timestampOf } from '../../api/index.ts';
import type { Observation } from '../../observe/index.ts';
import {
  claimOf,
  type DesiredWorkload,
  isServedRole,
  nodeNames,
  peerAddress,
} from '../../resources/index.ts';
import { capacityOf, requestedOf, type VolumePass } from './volume.ts';

type Before = ChainNodeStatus | undefined;

/** `status.chain`: the node's own words; or what it said before, also where it says the same again. */
export function chainStatus(
  before: Before,
  { report, at, problem }: Partial<Observation>,
): ChainNodeStatus['chain'] {
  const old = before?.chain;
  if (!report || problem !== undefined || at === undefined) return old;
  const said = chainSaid(report, at);
  return old && isDeepStrictEqual({ ...said, checkedAt: old.checkedAt }, old) ? old : said;
}

function chainSaid(report: NodeReport, at: number): NonNullable<ChainNodeStatus['chain']> {
  return {
    height: report.height,
    catchingUp: report.catchingUp,
    checkedAt: timestampOf(at),
    ...(report.floors && { earliest: Math.max(report.floors.base, report.floors.evm ?? 0) }),
    ...(report.blockTime !== undefined && { blockTime: timestampOf(Date.parse(report.blockTime)) }),
    ...(report.peers !== undefined && { peers: report.peers }),
  };
}

/** `status.stateStore`: the layout that the running node has opened. */
export function storeStatus(
  before: Before,
  report: Observation['report'],
  isMigrating: boolean,
): ChainNodeStatus['stateStore'] {
  const old = before?.stateStore;
  if (isMigrating || report?.stage !== 'running' || report.height === 0) return old;
  const { backend, evmSplit } = report;
  if (old?.layout === 'current' && old.backend === backend && old.evmSplit === evmSplit) return old;
  return {
    ...old,
    backend: backend as 'pebbledb' | 'rocksdb',
    evmSplit,
    layout: 'current' as const,
    activatedAt: timestampOf(Date.parse(report.startedAt)),
  };
}

export function storageStatus(
  node: ChainNode,
  desired: DesiredWorkload,
  { claim, grownAt, usedPercent }: VolumePass,
): ChainNodeStatus['storage'] {
  const old = node.status?.storage;
  const capacity = capacityOf(claim);
  const requested = requestedOf(claim);
  const grown = grownAt ?? old?.grownAt;
  // A point of use up or down is not worth a write.
  const isNear = Math.abs((old?.usedPercent ?? -100) - (usedPercent ?? old?.usedPercent ?? -100)) < 2;
  const used = isNear ? old?.usedPercent : usedPercent;
  return {
    pvc: claimOf(node, desired),
    ...(capacity !== undefined && { capacity }),
    ...(requested !== undefined && { requested }),
    ...(used !== undefined && { usedPercent: used }),
    ...(grown !== undefined && { grownAt: grown }),
  };
}

export function endpointsOf(node: ChainNode, nodeId: string | undefined): ChainNodeStatus['endpoints'] {
  const { name, namespace } = node.metadata;
  const { ports } = node.spec.service;
  const names = nodeNames(name);
  const host = `${names.service}.${namespace}.svc`;
  return {
    rpc: `http://${host}:${ports.rpc}`,
    metrics: `http://${names.metrics}.${namespace}.svc:${PORTS.nodeAdmin}/metrics`,
    ...(nodeId !== undefined && { p2p: peerAddress(node, nodeId) }),
    ...(isServedRole(node.spec) && {
      jsonRpc: `http://${host}:${ports.jsonRpc}`,
      jsonRpcWs: `ws://${host}:${ports.jsonRpcWs}`,
      grpc: `${host}:${ports.grpc}`,
      rest: `http://${host}:${ports.rest}`,
    }),
  };
}
