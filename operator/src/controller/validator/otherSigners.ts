import { isCodedError } from '@chain/platform';
import { type ChainNode, LABELS } from '../../api/index.ts';
import { KINDS, type KubeClient, type Pod } from '../../kube/index.ts';
import { CHAIN_NODE, nodeNames } from '../../resources/index.ts';
import type { SignerLease, SignerLeases } from './signerLeases.ts';

interface Wanted {
  readonly address: string;
  readonly lease: SignerLease;
  /** The node's own pod is there. */
  readonly isUp: boolean;
}

interface OtherSigner {
  readonly message: string;
  readonly stops: { readonly mustStop?: true };
}

/** Why the key cannot be this node's, with what to type; `undefined` when nobody else can sign with it. */
export async function whoElseSigns(
  { client, leases }: { readonly client: KubeClient; readonly leases: SignerLeases },
  node: ChainNode,
  { address, lease: { name, holder }, isUp }: Wanted,
): Promise<OtherSigner | undefined> {
  const { namespace, name: self } = node.metadata;
  if (holder !== '' && holder !== `${namespace}/${self}`) {
    const why = await whyHeld(client, holder);
    const words = {
      key: `this validator key (${address}, Lease "${name}")`,
      free: leases.freeCommand(address),
    };
    if (why) return { message: heldBy(holder, why, words), stops: { mustStop: true } };
  }
  const { secretRef } = node.spec.validatorKey ?? {};
  // What runs is not stopped for a pod that may as well make a backup.
  const stranger = !isUp && secretRef && (await strangerWith(client, node, secretRef.name));
  if (!stranger) return undefined;
  const message = `pod "${stranger}", which is not this node's, has Secret "${secretRef?.name}" with the validator key and may sign with it; delete it: kubectl -n ${namespace} delete pod ${stranger}`;
  return { message, stops: {} };
}

type Holding = 'node' | 'pod' | 'unknown';

function heldBy(holder: string, why: Holding, { key, free }: { key: string; free: string }): string {
  const [at, of] = holder.split('/');
  const who = `ChainNode "${of}" of namespace "${at}"`;
  const said = {
    node: `${who} signs with ${key}, and two that do sign twice; this one is kept down. Delete one, or stop that one first: kubectl -n ${at} patch cn ${of} --type merge -p '{"spec":{"hibernate":true}}'`,
    pod: `${who} is gone, and its StatefulSet or its pod, which signs with ${key}, is not; wait, or delete them: kubectl -n ${at} delete statefulset,pod -l ${LABELS.node}=${of}`,
    unknown: `${who} has ${key}, and the operator may not look there; make sure that it does not run, then: ${free}`,
  };
  return said[why];
}

/** What of a holder is still there. */
async function whyHeld(client: KubeClient, holder: string): Promise<Holding | undefined> {
  const [namespace = '', name = ''] = holder.split('/');
  try {
    if (await client.get(CHAIN_NODE, { namespace, name })) return 'node';
    const { statefulSet, pod } = nodeNames(name);
    const set = await client.get(KINDS.statefulSet, { namespace, name: statefulSet });
    if (set?.metadata?.labels?.[LABELS.node] === name && set.spec?.replicas !== 0) return 'pod';
    return (await client.get(KINDS.pod, { namespace, name: pod })) ? 'pod' : undefined;
  } catch (error) {
    if (isCodedError(error, 'KUBE_FORBIDDEN')) return 'unknown';
    throw error;
  }
}

/** A pod of the namespace that has the Secret as a volume or in its environment, and is no pod of the node. */
async function strangerWith(
  client: KubeClient,
  { metadata: { namespace, name } }: ChainNode,
  secret: string,
): Promise<string | undefined> {
  const pods = await client.list(KINDS.pod, { namespace });
  const other = pods.find(
    ({ metadata, spec, status }) =>
      metadata?.labels?.[LABELS.node] !== name &&
      status?.phase !== 'Succeeded' &&
      status?.phase !== 'Failed' &&
      namesSecret(spec, secret),
  );
  return other?.metadata?.name;
}

function namesSecret(spec: Pod['spec'], secret: string): boolean {
  const volumes = (spec?.volumes ?? []).flatMap(({ secret: one, projected }) => [
    one?.secretName,
    ...(projected?.sources ?? []).map((source) => source.secret?.name),
  ]);
  const containers = [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])];
  const environment = containers.flatMap(({ env = [], envFrom = [] }) => [
    ...env.map(({ valueFrom }) => valueFrom?.secretKeyRef?.name),
    ...envFrom.map(({ secretRef }) => secretRef?.name),
  ]);
  return [...volumes, ...environment].includes(secret);
}
