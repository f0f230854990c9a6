import { API_VERSION, type ChainNode, NODE_KIND } from '../../../operator/src/api/index.ts';
import { KINDS, type KubeClient, resourceKind } from '../../../operator/src/kube/index.ts';
import { nodeNames } from '../../../operator/src/resources/index.ts';
import type { NodeFaults } from './simulatedNode.ts';
import type { TrustedRpcs } from './trustedRpcs.ts';

export const NODES = resourceKind<ChainNode>(API_VERSION, NODE_KIND);

/** One migration of one ChainNode, as far as a scenario meddles with it. */
export interface Meddled {
  readonly client: KubeClient;
  readonly ref: { readonly namespace: string; readonly name: string };
  readonly trusted: TrustedRpcs;
}
type Act = (migration: Meddled) => Promise<unknown> | unknown;

export interface Scenario {
  readonly name: string;
  readonly faults?: NodeFaults;
  /** Phase, and reason where it matters, or `deleted`. */
  readonly ends: string;
  readonly maxAttempts?: number;
  /** Two work on the same nodes, and neither knows of the other. */
  readonly operators?: 2;
  /** Just before the spec asks for the split. */
  readonly first?: Act;
  /** Each once, when the migration is first seen in its phase. */
  readonly on?: Readonly<Record<string, Act>>;
}

const annotate =
  (command: string): Act =>
  ({ client, ref }) =>
    client.patchMetadata(NODES, ref, { annotations: { [`chain.dev/${command}`]: '1' } });
const withdraw: Act = ({ client, ref }) =>
  client.patch(NODES, ref, { spec: { stateStore: { evmSplit: false } } });
const remove: Act = ({ client, ref }) => client.delete(NODES, ref);
const killPod: Act = ({ client, ref: { namespace, name } }) =>
  client.delete(KINDS.pod, { namespace, name: nodeNames(name).pod });
const mood =
  (wanted: TrustedRpcs['mood']): Act =>
  ({ trusted }) => {
    trusted.mood = wanted;
  };

/** Behind the wipe nothing may change that the Jobs and the node go by. */
const editFrozen: Act = async ({ client, ref }) => {
  const edit = client.patch(NODES, ref, { spec: { image: 'localhost/chain-node:other' } });
  const refused = await edit.then(
    () => undefined,
    (error: Error) => error.message,
  );
  if (!refused?.includes('image')) throw new RangeError(`the image was changed: ${refused}`);
};

/** Those that a migration passes through when all goes well. */
export const WORKING_PHASES = [
  'Preflight',
  'WaitingForSlot',
  'Draining',
  'Stopping',
  'BackingUp',
  'Applying',
  'Starting',
  'Syncing',
  'Verifying',
  'Releasing',
];
const failing = (part: string, times: number, after: number): NodeFaults => ({
  jobs: { [part]: { times, after } },
});
const NO_ROOM = { height: 40, reason: 'the disk has no room for it' };

export const SCENARIOS: readonly Scenario[] = [
  { name: 'well', ends: 'Succeeded' },
  { name: 'two-operators', operators: 2, ends: 'Succeeded' },
  {
    name: 'pod-killed-in-each-phase',
    on: Object.fromEntries(WORKING_PHASES.map((phase) => [phase, killPod])),
    ends: 'Succeeded',
  },
  { name: 'trusted-rpc-gone', first: mood('gone'), on: { Blocked: mood('honest') }, ends: 'Succeeded' },
  { name: 'trusted-rpc-lies', first: mood('lying'), on: { Blocked: mood('honest') }, ends: 'Succeeded' },
  { name: 'one-wipe-fails', faults: failing('apply', 1, 4), ends: 'Succeeded' },
  { name: 'every-backup-fails', faults: failing('backup', 9, 2), ends: 'RolledBack BackupFailed' },
  { name: 'one-sync-finds-none', faults: { syncs: { times: 1 } }, ends: 'Succeeded' },
  {
    name: 'no-peer-has-snapshots',
    faults: { syncs: { times: 9 } },
    maxAttempts: 2,
    ends: 'Held NoSnapshots',
  },
  {
    name: 'full-volume',
    faults: { syncs: { times: 9, refused: NO_ROOM } },
    maxAttempts: 1,
    ends: 'Held SnapshotRefused',
  },
  {
    name: 'held-then-rollback',
    faults: { syncs: { times: 1 } },
    maxAttempts: 1,
    on: { Held: annotate('rollback') },
    ends: 'RolledBack',
  },
  { name: 'abort', on: { BackingUp: annotate('abort') }, ends: 'RolledBack RequestedByUser' },
  { name: 'spec-edited-before-the-wipe', on: { BackingUp: withdraw }, ends: 'RolledBack SpecReverted' },
  {
    name: 'spec-edited-behind-the-wipe',
    on: { Starting: editFrozen, Syncing: withdraw },
    ends: 'Succeeded',
  },
  { name: 'deleted-before-the-wipe', on: { Stopping: remove }, ends: 'deleted' },
  { name: 'deleted-at-the-wipe', on: { Applying: remove }, ends: 'deleted' },
  { name: 'deleted-behind-the-wipe', on: { Starting: remove }, ends: 'deleted' },
];
