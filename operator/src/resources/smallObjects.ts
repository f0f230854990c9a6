import type { SignFloor } from '@chain/platform/contract';
import { type ChainNode, LABELS } from '../api/index.ts';
import type { ConfigFiles } from './configFiles.ts';
import { manifestOf, selectorOf } from './labels.ts';
import type { Manifest } from './manifest.ts';
import { createNodeKey } from './nodeKey.ts';
import { nodeNames, POD_NAMES } from './nodeNames.ts';
import type { DesiredWorkload } from './renderInput.ts';

export function configMap(node: ChainNode, { appToml, configToml }: ConfigFiles): Manifest {
  return manifestOf(
    node,
    { apiVersion: 'v1', kind: 'ConfigMap', name: nodeNames(node.metadata.name).config },
    { data: { 'app.toml': appToml, 'config.toml': configToml } },
  );
}

export function limiterMap(node: ChainNode, limiterToml: string): Manifest {
  return manifestOf(
    node,
    { apiVersion: 'v1', kind: 'ConfigMap', name: nodeNames(node.metadata.name).limiter },
    { data: { 'limiter.toml': limiterToml } },
  );
}

/** Without rights, and without a token in the pod. */
export function serviceAccount(node: ChainNode): Manifest | undefined {
  if (node.spec.podTemplate.serviceAccountName !== undefined) return undefined;
  return manifestOf(
    node,
    { apiVersion: 'v1', kind: 'ServiceAccount', name: nodeNames(node.metadata.name).serviceAccount },
    { automountServiceAccountToken: false },
  );
}

/**
 * Nodes of a fleet have the fleet's budget, for the API server evicts no pod that has two; a node that must not be
 * disturbed has one of its own in any case.
 */
export function disruptionBudget(node: ChainNode, { isProtected }: DesiredWorkload): Manifest | undefined {
  if (node.metadata.labels?.[LABELS.fleet] !== undefined && !isProtected) return undefined;
  return manifestOf(
    node,
    { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', name: nodeNames(node.metadata.name).budget },
    { spec: { maxUnavailable: isProtected ? 0 : 1, selector: { matchLabels: selectorOf(node) } } },
  );
}

/** Made once and never changed: peers know the node by it. It outlives the node, as its volume does. */
export function nodeKeySecret(node: ChainNode): Manifest {
  return restoredNodeKey(node, createNodeKey());
}

/** The same with a key that the node had before. */
export function restoredNodeKey(node: ChainNode, nodeKeyJson: string): Manifest {
  return manifestOf(
    node,
    { apiVersion: 'v1', kind: 'Secret', name: nodeNames(node.metadata.name).nodeKey, survives: true },
    { type: 'Opaque', immutable: true, stringData: { 'node_key.json': nodeKeyJson } },
  );
}

/** Read anew at each start of the pod, so that it is no part of the template. */
export function signFloorMap(node: ChainNode, floor: SignFloor): Manifest {
  return manifestOf(
    node,
    { apiVersion: 'v1', kind: 'ConfigMap', name: nodeNames(node.metadata.name).signFloor },
    { data: { [POD_NAMES.signFloorFile]: `${JSON.stringify(floor)}\n` } },
  );
}

/** `undefined` where none is wanted. */
export function podMonitor(node: ChainNode): Manifest | undefined {
  const { enabled, labels, interval } = node.spec.monitoring.podMonitor;
  if (!enabled) return undefined;
  const ports = ['admin', ...(node.spec.proxy.enabled ? ['limiter-admin'] : [])];
  return manifestOf(
    node,
    {
      apiVersion: 'monitoring.coreos.com/v1',
      kind: 'PodMonitor',
      name: nodeNames(node.metadata.name).podMonitor,
      ...(labels && { labels }),
    },
    {
      spec: {
        selector: { matchLabels: selectorOf(node) },
        podMetricsEndpoints: ports.map((port) => ({ port, path: '/metrics', interval })),
      },
    },
  );
}
