import { type ChainNode, LABELS } from '../api/index.ts';
import { secondsOf } from './containerParts.ts';
import { dataVolumes } from './dataVolume.ts';
import { genesisVolume, homeContainer } from './homeContainer.ts';
import { labelsOf, selectorOf } from './labels.ts';
import { limiterContainer } from './limiterContainer.ts';
import { fencedContainer, nodeContainer } from './nodeContainer.ts';
import { nodeKeyRef } from './nodeKeyRef.ts';
import { nodeNames, POD_NAMES } from './nodeNames.ts';
import type { RenderInput } from './renderInput.ts';
import { resourceErrors } from './resourceErrors.ts';
import { POD_USER, volumeContainer } from './volumeContainer.ts';

/** Of the pod: what it was configured with, without what may change under a running node. */
export const CONFIG_HASH = 'chain.dev/config-hash';

const POD_SECURITY = {
  runAsNonRoot: true,
  runAsUser: POD_USER,
  runAsGroup: POD_USER,
  fsGroup: POD_USER,
  fsGroupChangePolicy: 'OnRootMismatch',
  seccompProfile: { type: 'RuntimeDefault' },
};

/** Throws RESOURCES_RESERVED_NAME for labels and annotations that are the operator's. */
export function podTemplate(input: RenderInput, configHash: string): object {
  const { node } = input;
  const { podTemplate: more } = node.spec;
  refuseOwnNames('spec.podTemplate.labels', more.labels);
  refuseOwnNames('spec.podTemplate.annotations', more.annotations);
  return {
    metadata: {
      // A pod serves when nobody says otherwise, so that a restart while the operator is away serves, too.
      labels: { ...more.labels, ...labelsOf(node), [LABELS.serving]: node.spec.fenced ? 'false' : 'true' },
      annotations: {
        ...more.annotations,
        'kubectl.kubernetes.io/default-container': POD_NAMES.node,
        [CONFIG_HASH]: configHash,
      },
    },
    spec: podSpec(input),
  };
}

function podSpec(input: RenderInput): object {
  const { node, desired } = input;
  const { spec, metadata } = node;
  const { podTemplate: more, fenced } = spec;
  return {
    serviceAccountName: more.serviceAccountName ?? nodeNames(metadata.name).serviceAccount,
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    terminationGracePeriodSeconds: secondsOf(more.terminationGracePeriod),
    securityContext: more.securityContext ?? POD_SECURITY,
    ...(spec.imagePullSecrets && { imagePullSecrets: spec.imagePullSecrets }),
    ...scheduling(node),
    initContainers: [
      ...(spec.storage.takeOwnership ? [volumeContainer(node)] : []),
      ...(more.extraInitContainers ?? []),
      ...(fenced ? [] : [homeContainer(node)]),
      ...(spec.proxy.enabled && !fenced ? [limiterContainer(input)] : []),
    ],
    containers: [fenced ? fencedContainer(node) : nodeContainer(node), ...(more.extraContainers ?? [])],
    volumes: [
      ...dataVolumes(node, desired),
      { name: POD_NAMES.configVolume, configMap: { name: nodeNames(metadata.name).config } },
      keysVolume(node),
      ...(spec.validatorKey
        ? [{ name: POD_NAMES.signFloorVolume, configMap: { name: nodeNames(metadata.name).signFloor } }]
        : []),
      ...[genesisVolume(node)].filter((volume) => volume !== undefined),
      ...(spec.proxy.enabled
        ? [{ name: POD_NAMES.limiterVolume, configMap: { name: nodeNames(metadata.name).limiter } }]
        : []),
      ...(more.extraVolumes ?? []),
    ],
  };
}

/** Node key and, of a validator, its key: for `init`, which copies them where there are none. */
function keysVolume(node: ChainNode): object {
  const project = ({ name, key }: { name: string; key: string }, path: string): object => ({
    secret: { name, items: [{ key, path }] },
  });
  const { validatorKey } = node.spec;
  return {
    name: POD_NAMES.keysVolume,
    projected: {
      defaultMode: 0o440,
      sources: [
        project(nodeKeyRef(node), 'node_key.json'),
        ...(validatorKey ? [project(validatorKey.secretRef, 'priv_validator_key.json')] : []),
      ],
    },
  };
}

function scheduling(node: ChainNode): object {
  const { scheduling: wanted } = node.spec;
  return { ...wanted, affinity: wanted.affinity ?? apart(node) };
}

/** One machine that fails shall take one node of a fleet. */
function apart(node: ChainNode): object | undefined {
  const fleet = node.metadata.labels?.[LABELS.fleet];
  const matchLabels =
    fleet === undefined
      ? {
          'app.kubernetes.io/name': selectorOf(node)['app.kubernetes.io/name'],
          [LABELS.chain]: node.spec.chain.id,
        }
      : { [LABELS.fleet]: fleet };
  const term = { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels } };
  return {
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, podAffinityTerm: term }],
    },
  };
}

const OWN = /^(chain\.dev\/|app\.kubernetes\.io\/(name|instance|managed-by)$)/;

function refuseOwnNames(field: string, given: Readonly<Record<string, string>> | undefined): void {
  const name = Object.keys(given ?? {}).find((key) => OWN.test(key));
  if (name !== undefined) throw resourceErrors.reservedName(field, name, 'choose another name');
}
