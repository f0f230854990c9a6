import type { ChainNode } from '../api/index.ts';
import { nodeNames } from './nodeNames.ts';

/** The Secret with the node's key: the one that the spec names, or the one that the operator makes. */
export function nodeKeyRef({ metadata, spec }: ChainNode): { name: string; key: string } {
  return spec.nodeKey.secretRef ?? { name: nodeNames(metadata.name).nodeKey, key: 'node_key.json' };
}
