import type { SignFloor } from '@chain/platform/contract';
import { ANNOTATIONS, type ChainNode } from '../../api/index.ts';
import { KINDS, type KubeClient, type Pod } from '../../kube/index.ts';
import type { Observation } from '../../observe/index.ts';
import { claimOf, type DesiredWorkload, replicasOf, signerOf } from '../../resources/index.ts';
import { type Fault, missing } from '../chainNode/faults.ts';
import { whoElseSigns } from './otherSigners.ts';
import { type SignedMark, withMark } from './signedMarks.ts';
import type { SignerLease, SignerLeases } from './signerLeases.ts';

/** What a pass over the key of a validator leads to. */
export interface SignerPass {
  readonly fault?: Fault;
  /** The node may sign with the key of another: it must not run. */
  readonly mustStop?: true;
  readonly address?: string;
  readonly lease?: string;
  /** Of a key that the spec names. */
  readonly floor?: SignFloor;
}

interface SignerView {
  readonly node: ChainNode;
  readonly desired: DesiredWorkload;
  readonly pod: Pod | undefined;
  readonly observation: Observation | undefined;
}

interface SignerDeps {
  readonly client: KubeClient;
  readonly leases: SignerLeases;
}

/** A key that begins on another volume signs nothing for at least so many heights above what is known of it. */
const MARGIN_HEIGHTS = 100;
const SUGGESTED_HEIGHTS = 1_000;

/**
 * Lets a validator run only while it alone holds its key, and only on the volume that knows what the key has signed.
 * Nothing to do for other nodes. Source: spec O-4.
 */
export async function holdSigner(deps: SignerDeps, view: SignerView): Promise<SignerPass> {
  const { node, desired } = view;
  if (node.spec.role !== 'validator') return {};
  const isDown = replicasOf({ node, desired }) === 0;
  const named = await namedKey(deps.client, node);
  if (typeof named === 'object') return isDown ? {} : { fault: named };
  const address = keyOf(view, named);
  // The node makes a key of its own, and has not told of it yet.
  if (address === undefined) return {};
  if (named !== undefined && named !== address && !isDown) return { fault: changed(node, address, named) };
  const lease = await deps.leases.read(address);
  const key = { address, isNamed: named !== undefined };
  return isDown ? release(deps, view, { ...key, lease }) : hold(deps, view, { ...key, lease });
}

interface Key {
  readonly address: string;
  /** The spec names it; else the node has made it. */
  readonly isNamed: boolean;
  readonly lease: SignerLease;
}

const selfOf = ({ metadata }: ChainNode): string => `${metadata.namespace}/${metadata.name}`;

/** Whoever wants the key next finds no process of this node. */
async function release(
  { leases }: SignerDeps,
  { node, pod }: SignerView,
  { address, lease, isNamed }: Key,
): Promise<SignerPass> {
  if (!pod && lease.holder === selfOf(node)) await leases.write(address, lease, { holder: '' });
  return { address, lease: lease.name, ...(isNamed && { floor: floorOf(node, address, lease) }) };
}

async function hold(deps: SignerDeps, view: SignerView, key: Key): Promise<SignerPass> {
  const { client, leases } = deps;
  const { node, pod } = view;
  const { address, lease, isNamed } = key;
  const isUp = pod !== undefined && pod.metadata?.deletionTimestamp === undefined;
  const other = await whoElseSigns(deps, node, { address, lease, isUp });
  if (other) return { fault: { reason: 'KeyInUse', message: other.message }, ...other.stops };
  const risk = isUp ? undefined : await riskOf(client, node, key);
  if (risk) return { fault: risk, mustStop: true };
  const marks = await newMarks(client, view, key);
  // Before a pod comes to be the Lease is written anew, so that nobody takes the key in between.
  if (lease.holder !== selfOf(node) || !isUp || marks)
    await leases.write(address, lease, { holder: selfOf(node), ...(marks && { marks }) });
  const floor = floorOf(node, address, { ...lease, ...(marks && { marks }) });
  return { address, lease: lease.name, ...(isNamed && { floor }) };
}

/** A key that was claimed once stays the node's; one that the node made by itself is what the node says. */
function keyOf({ node, observation }: SignerView, named: string | undefined): string | undefined {
  const before = node.status?.signer?.address;
  const told = observation?.report?.signer?.address;
  return named === undefined ? (told ?? before) : (before ?? named);
}

/** Address of the key that the spec names; `undefined` where it names none. */
async function namedKey(
  client: KubeClient,
  { metadata, spec }: ChainNode,
): Promise<string | undefined | Fault> {
  if (!spec.validatorKey) return undefined;
  const { name, key } = spec.validatorKey.secretRef;
  const secret = await client.get(KINDS.secret, { namespace: metadata.namespace, name });
  const text = secret?.data?.[key];
  if (text === undefined) return missing(`key "${key}" of Secret "${name}", the validator key`);
  return signerOf(Buffer.from(text, 'base64').toString('utf8'), `Secret "${name}", key "${key}"`);
}

function changed({ metadata, spec }: ChainNode, had: string, has: string): Fault {
  const secret = spec.validatorKey?.secretRef.name;
  const message = `the node signs with the key ${had}, and Secret "${secret}" has ${has} now; put the old key back, or make another ChainNode, with a volume of its own, for the new one: ${metadata.name} keeps its key`;
  return { reason: 'KeyChanged', message };
}

function floorOf(node: ChainNode, address: string, { marks }: SignerLease): SignFloor {
  const mark = marks[node.spec.chain.id];
  const from = signFrom(node);
  if (from !== undefined && from >= (mark?.height ?? 0))
    return { address, height: from, round: 0, step: 0, raise: true };
  const { height = 0, round = 0, step = 0 } = mark ?? {};
  return { address, height, round, step, raise: false };
}

function signFrom({ metadata }: ChainNode): number | undefined {
  const value = Number(metadata.annotations?.[ANNOTATIONS.signFrom] ?? Number.NaN);
  return Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

/** Why the volume that the node would begin on must not be signed from. */
async function riskOf(
  client: KubeClient,
  node: ChainNode,
  { address, lease }: Key,
): Promise<Fault | undefined> {
  const { name, marks } = lease;
  const floor = floorOf(node, address, lease);
  const mark = marks[node.spec.chain.id];
  if (!mark || mark.height === 0) return undefined;
  const { namespace, name: of } = node.metadata;
  const claim = claimOf(node);
  const live = await client.get(KINDS.persistentVolumeClaim, { namespace, name: claim });
  if (live?.metadata?.uid === mark.volume) return undefined;
  if (floor.raise && floor.height >= mark.height + MARGIN_HEIGHTS) return undefined;
  const what = live ? `claim "${claim}" is another than the one that signed` : `claim "${claim}" is gone`;
  const from = mark.height + SUGGESTED_HEIGHTS;
  const message = `the validator key has signed up to height ${mark.height} (Lease "${name}"), and ${what}: from an empty volume, a snapshot or a copy it would sign twice. Bring the volume back, or, once nothing else signs with the key, let it begin above what it can have signed (and above the chain's newest block): kubectl -n ${namespace} annotate cn ${of} ${ANNOTATIONS.signFrom}=${from}`;
  return { reason: 'SignStateAtRisk', message };
}

/** What the node says that it has signed, where that is worth a write. */
async function newMarks(
  client: KubeClient,
  { node, observation }: SignerView,
  { address, lease: { marks } }: Key,
): Promise<SignerLease['marks'] | undefined> {
  const { signer } = observation?.report ?? {};
  if (signer?.address !== address || observation?.problem !== undefined) return undefined;
  const { height, round, step } = signer;
  const chain = node.spec.chain.id;
  const of = (volume: string): SignedMark => ({ height, round, step, volume, at: client.clock.now() });
  if (!withMark(marks, chain, of(marks[chain]?.volume ?? ''))) return undefined;
  const ref = { namespace: node.metadata.namespace, name: claimOf(node) };
  const claim = await client.get(KINDS.persistentVolumeClaim, ref);
  return withMark(marks, chain, of(claim?.metadata?.uid ?? ''));
}
