import {
  API_VERSION,
  type ChainNode,
  type ChainNodeSpec,
  type Given,
  NODE_KIND,
  nodeSpecOf,
} from '../api/index.ts';
import type { RenderInput } from './renderInput.ts';

/** A node as the API server hands it out, with what a test says of it. */
export function nodeOf(
  spec: Given<ChainNodeSpec> = {},
  metadata: Partial<ChainNode['metadata']> = {},
): ChainNode {
  const given = {
    image: 'localhost/chain-node:6.5.0',
    storage: { size: '20Gi' },
    ...spec,
    chain: { id: 'test-1', genesis: { configMapRef: { name: 'genesis' } }, ...spec.chain },
  };
  return {
    apiVersion: API_VERSION,
    kind: NODE_KIND,
    metadata: {
      name: 'rpc-0',
      namespace: 'chain',
      uid: 'uid-1',
      resourceVersion: '1',
      generation: 1,
      creationTimestamp: '2026-01-01T00:00:00Z',
      ...metadata,
    },
    spec: nodeSpecOf(given as Given<ChainNodeSpec>),
  };
}

export const SERVING = { runs: true, serves: true, isProtected: false };

export const inputOf = (node: ChainNode, more: Partial<RenderInput> = {}): RenderInput => ({
  node,
  desired: SERVING,
  limiterImage: 'localhost/chain-rate-limiter:6.5.0',
  operatorNamespace: 'chain-system',
  ...more,
});
