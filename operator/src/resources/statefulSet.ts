import { createHash } from 'node:crypto';
import { type ChainNode, writtenOf } from '../api/index.ts';
import { renderConfig } from './configFiles.ts';
import { manifestOf, selectorOf } from './labels.ts';
import type { Manifest } from './manifest.ts';
import { nodeNames } from './nodeNames.ts';
import { podTemplate } from './podTemplate.ts';
import type { RenderInput } from './renderInput.ts';

/** On a StatefulSet: what its template was rendered from, without what the operator's own installation decides. */
export const TEMPLATE_HASH = 'chain.dev/template-hash';

/** On a StatefulSet: what of the spec was written, not filled in, when its template was rendered; and by which operator. */
export const WISH_HASH = 'chain.dev/wish-hash';
const RENDERED_BY = 'chain.dev/rendered-by';

/** Without the wish for another state store, which is carried out by a migration. */
export function wishHashOf({ spec }: Pick<ChainNode, 'spec'>): string {
  const { stateStore: _, ...rest } = writtenOf({ spec }) as Partial<ChainNode['spec']>;
  return digestOf(rest);
}

/**
 * The StatefulSet of one pod, without its replicas: those are another manager's. `Parallel`, for else a pod that never
 * becomes ready is never replaced by a better one.
 */
export function statefulSet(input: RenderInput, configHash: string): Manifest {
  const { node } = input;
  const { metadata } = node;
  const template = podTemplate(input, configHash);
  const templateHash = digestOf(podTemplate({ ...input, limiterImage: '' }, configHash));
  return manifestOf(
    node,
    {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      name: nodeNames(metadata.name).statefulSet,
      annotations: {
        [TEMPLATE_HASH]: templateHash,
        [WISH_HASH]: wishHashOf(node),
        ...(input.release !== undefined && { [RENDERED_BY]: input.release }),
      },
    },
    {
      spec: {
        serviceName: nodeNames(metadata.name).metrics,
        podManagementPolicy: 'Parallel',
        updateStrategy: { type: 'RollingUpdate' },
        revisionHistoryLimit: 3,
        selector: { matchLabels: selectorOf(node) },
        template,
      },
    },
  );
}

/** The replicas alone, for their own field manager. */
export function scaleOf({ node, desired }: Pick<RenderInput, 'node' | 'desired'>): Manifest {
  const { name, namespace } = node.metadata;
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: nodeNames(name).statefulSet, namespace },
    spec: { replicas: replicasOf({ node, desired }) },
  };
}

export const replicasOf = ({ node, desired }: Pick<RenderInput, 'node' | 'desired'>): 0 | 1 =>
  desired.runs && !node.spec.hibernate ? 1 : 0;

/**
 * Digest of what a running node was configured with. Peers of the selector come and go under it, and a wish for another
 * state store must not take the node away: its migration does, when it is time.
 */
export function configHashOf({ node }: Pick<RenderInput, 'node'>): string {
  const { spec } = node;
  const stateStore = { ...spec.stateStore, backend: 'pebbledb', evmSplit: false } as const;
  return digestOf(renderConfig({ node: { ...node, spec: { ...spec, stateStore } } }));
}

/** Stable whatever the order in which fields were written. */
export function digestOf(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(value)))
    .digest('hex')
    .slice(0, 32);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, it]) => it !== undefined);
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, it]) => [key, sorted(it)]),
  );
}
