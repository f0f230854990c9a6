import { renderConfig } from './configFiles.ts';
import { renderLimiter } from './limiterFile.ts';
import type { Manifest } from './manifest.ts';
import { networkPolicy } from './networkPolicy.ts';
import { nodeNames } from './nodeNames.ts';
import type { RenderInput } from './renderInput.ts';
import { services } from './services.ts';
import {
  configMap,
  disruptionBudget,
  limiterMap,
  podMonitor,
  serviceAccount,
  signFloorMap,
} from './smallObjects.ts';
import { configHashOf, scaleOf, statefulSet } from './statefulSet.ts';

/** An object that shall not be there (any more). */
export interface Absence {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

export interface RenderedNode {
  /** In the order in which they are applied; the claim and the key come before, by themselves. */
  readonly objects: readonly Manifest[];
  readonly statefulSet: Manifest;
  /** Applied by a manager of its own. */
  readonly scale: Manifest;
  readonly absent: readonly Absence[];
  readonly configHash: string;
}

/**
 * All objects of a node but its claim and its key. Throws RESOURCES_RESERVED_KEY, RESOURCES_RESERVED_NAME and
 * RESOURCES_TOML for a spec that cannot be carried out.
 */
export function renderNode(input: RenderInput): RenderedNode {
  const { node, desired } = input;
  const { proxy } = node.spec;
  const configHash = input.configHash ?? configHashOf(input);
  const names = nodeNames(node.metadata.name);
  const optional = [
    {
      kind: 'ConfigMap',
      name: names.limiter,
      apiVersion: 'v1',
      made: proxy.enabled && limiterMap(node, renderLimiter(node)),
    },
    ...(node.spec.role === 'validator'
      ? [
          {
            kind: 'ConfigMap',
            name: names.signFloor,
            apiVersion: 'v1',
            made: input.signFloor && signFloorMap(node, input.signFloor),
          },
        ]
      : []),
    { kind: 'ServiceAccount', name: names.serviceAccount, apiVersion: 'v1', made: serviceAccount(node) },
    {
      kind: 'PodDisruptionBudget',
      name: names.budget,
      apiVersion: 'policy/v1',
      made: disruptionBudget(node, desired),
    },
    {
      kind: 'NetworkPolicy',
      name: names.networkPolicy,
      apiVersion: 'networking.k8s.io/v1',
      made: networkPolicy(input),
    },
    {
      kind: 'PodMonitor',
      name: names.podMonitor,
      apiVersion: 'monitoring.coreos.com/v1',
      made: podMonitor(node),
    },
  ];
  return {
    objects: [
      configMap(node, renderConfig(input)),
      ...optional.flatMap(({ made }) => made || []),
      ...services(node),
    ],
    statefulSet: statefulSet(input, configHash),
    scale: scaleOf(input),
    absent: optional
      .filter(({ made }) => !made)
      .map(({ apiVersion, kind, name }) => ({ apiVersion, kind, name })),
    configHash,
  };
}
