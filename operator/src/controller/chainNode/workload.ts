import { FIELD_MANAGERS } from '../../api/index.ts';
import { KINDS, type KubeClient, type Pod, type StatefulSet } from '../../kube/index.ts';
import {
  CONFIG_HASH,
  isOwnedBy,
  type Manifest,
  type RenderedNode,
  type RenderInput,
  renderNode,
  replicasOf,
  scaleOf,
  TEMPLATE_HASH,
  WISH_HASH,
  wishHashOf,
} from '../../resources/index.ts';
import type { Applied, ObjectApplier } from './applyObject.ts';
import { FREE, type Restart, restartOf } from './restart.ts';

export interface WorkloadPass {
  readonly statefulSet: StatefulSet;
  readonly configHash: string;
  readonly restartPending: boolean;
  readonly restart: Restart;
  /** Kinds of the objects that were changed. */
  readonly changed: readonly string[];
  /** What somebody else had done to them, and was undone: `StatefulSet deleted`. */
  readonly putBack: readonly string[];
}

interface WorkloadDeps {
  readonly client: KubeClient;
  readonly applier: ObjectApplier;
  readonly pod: Pod | undefined;
}

/** Brings every object of the node to what its spec and the desired workload ask for. Throws RESOURCES_… for a spec that cannot be. */
export async function applyWorkload(
  input: RenderInput,
  { client, applier, pod }: WorkloadDeps,
): Promise<WorkloadPass> {
  const { namespace, uid } = input.node.metadata;
  const live = await applier.find<StatefulSet>(renderNode(input).statefulSet);
  const settled = settle(input, live);
  const changed: string[] = [];
  const putBack: string[] = [];
  const note = ({ kind }: Manifest, applied: Pick<Applied, 'changed' | 'drift'>): void => {
    if (applied.changed) changed.push(kind);
    if (applied.drift) putBack.push(`${kind} ${applied.drift}`);
  };
  for (const manifest of settled.rendered.objects) note(manifest, await applier.apply(manifest));
  for (const absence of settled.rendered.absent) await applier.remove(absence, { namespace, uid });
  const wanted = settled.rendered.statefulSet;
  // With its replicas, for else the API server starts one at once; their own manager takes them over right after.
  const once = { spec: { replicas: replicasOf(input) } };
  const restart = live ? await restartBy(client, { ...input, pod, live, wanted }) : FREE;
  const isGone = live === undefined && applier.hasApplied(wanted);
  if (isGone) applier.putBack(wanted, 'deleted');
  const applied: Applied = live
    ? restart.state === 'free'
      ? await applier.apply(wanted)
      : { changed: false, live }
    : { changed: true, live: await applier.create(wanted, once), ...(isGone && { drift: 'deleted' }) };
  note(wanted, applied);
  if (live && isScaledByOthers(applied.live as StatefulSet, applier, input)) {
    applier.putBack(wanted, 'scaled');
    putBack.push('StatefulSet scaled');
  }
  const scaled = await scale(client, applied.live as StatefulSet, { input, isNew: !live });
  applier.scaled.set(uid, replicasOf(input));
  return {
    statefulSet: scaled,
    configHash: settled.rendered.configHash,
    restartPending: settled.restartPending,
    restart,
    changed,
    putBack,
  };
}

/** It has another number of pods than it was given last, and the node wants what it wanted then. */
function isScaledByOthers({ spec }: StatefulSet, applier: ObjectApplier, input: RenderInput): boolean {
  const given = applier.scaled.get(input.node.metadata.uid);
  return given === replicasOf(input) && spec?.replicas !== given;
}

type Rendering = Pick<RenderInput, 'node' | 'desired'> &
  Pick<WorkloadDeps, 'pod'> & { readonly live: StatefulSet; readonly wanted: Manifest };

/** What becomes of the pod when the template that is wanted is not the one that is there. */
async function restartBy(client: KubeClient, { wanted, live, ...of }: Rendering): Promise<Restart> {
  const { annotations = {}, namespace = '', name = '' } = live.metadata ?? {};
  if (annotations[TEMPLATE_HASH] === wanted.metadata.annotations?.[TEMPLATE_HASH]) return FREE;
  const wish = wishHashOf(of.node);
  // The release before did not note it: from now on it is known what is changed.
  if (annotations[WISH_HASH] === undefined)
    await client.patchMetadata(
      KINDS.statefulSet,
      { namespace, name },
      { annotations: { [WISH_HASH]: wish } },
    );
  return restartOf(client, { ...of, live, isOperators: (annotations[WISH_HASH] ?? wish) === wish });
}

async function scale(
  client: KubeClient,
  live: StatefulSet,
  { input, isNew }: { readonly input: RenderInput; readonly isNew: boolean },
): Promise<StatefulSet> {
  if (!isNew && live.spec?.replicas === replicasOf(input)) return live;
  const { scale: wanted } = renderNode(input);
  const part = { ...wanted, metadata: { ...wanted.metadata, uid: live.metadata?.uid } };
  return client.apply(KINDS.statefulSet, part as never, {
    fieldManager: FIELD_MANAGERS.scale,
  });
}

/** Takes the pod away, and nothing else: the node must not run. */
export async function stopWorkload(
  client: KubeClient,
  { node, desired }: Pick<RenderInput, 'node' | 'desired'>,
) {
  const { metadata, ...wanted } = scaleOf({ node, desired: { ...desired, runs: false } });
  const live = await client.get(KINDS.statefulSet, metadata);
  if (!live || live.spec?.replicas === 0 || !isOwnedBy(live, node.metadata.uid)) return;
  const part = { ...wanted, metadata: { ...metadata, uid: live.metadata?.uid } };
  await client.apply(KINDS.statefulSet, part as never, { fieldManager: FIELD_MANAGERS.scale });
}

interface Settled {
  readonly rendered: RenderedNode;
  readonly restartPending: boolean;
}

/**
 * Two things of the live object win: the limiter's image, as long as nothing else of the template changes (a new
 * operator must not restart every node), and with `restartPolicy: Manual` the template's note of its configuration.
 */
function settle(input: RenderInput, live: StatefulSet | undefined): Settled {
  const rendered = renderNode(input);
  const template = live?.spec?.template;
  const liveHash = template?.metadata?.annotations?.[CONFIG_HASH];
  const restartPending =
    input.node.spec.config.restartPolicy === 'Manual' &&
    liveHash !== undefined &&
    liveHash !== rendered.configHash;
  const kept = restartPending ? renderNode({ ...input, configHash: liveHash }) : rendered;
  const limiter = template?.spec?.initContainers?.find(({ name }) => name === 'rate-limiter')?.image;
  const isSame =
    live?.metadata?.annotations?.[TEMPLATE_HASH] === kept.statefulSet.metadata.annotations?.[TEMPLATE_HASH];
  if (!isSame || limiter === undefined || limiter === input.limiterImage) {
    return { rendered: { ...kept, configHash: rendered.configHash }, restartPending };
  }
  const again = { ...input, limiterImage: limiter, ...(restartPending && { configHash: liveHash }) };
  return { rendered: { ...renderNode(again), configHash: rendered.configHash }, restartPending };
}
