import { LABELS } from '../api/index.ts';
import type { KubeObject } from '../kube/index.ts';
import { MANAGED_BY } from './labels.ts';
import type { Manifest } from './manifest.ts';
import { resourceErrors } from './resourceErrors.ts';

interface Owner {
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
}
type Labels = Readonly<Record<string, string>>;

const ownersOf = (object: KubeObject): readonly Owner[] =>
  (object.metadata as { readonly ownerReferences?: readonly Owner[] } | undefined)?.ownerReferences ?? [];

/** Made by the operator for the node of this name, whichever node of that name it was. */
export function isLabelledFor(object: KubeObject, label: string, name: string): boolean {
  const labels: Labels = object.metadata?.labels ?? {};
  return labels[MANAGED_BY.label] === MANAGED_BY.value && labels[label] === name;
}

export const isOwnedBy = (object: KubeObject, uid: string): boolean =>
  ownersOf(object).some((owner) => owner.uid === uid);

/**
 * Lets `wanted` be applied over what is there only where that is the operator's: owned by the same node or fleet, or
 * with its labels and owned by nobody, or by an earlier node of the name, which cannot be there any more. Throws
 * RESOURCES_NAME_TAKEN for an object of somebody else.
 */
export function requireOurs(live: KubeObject, wanted: Manifest): void {
  const { kind } = wanted;
  const { name, labels = {} } = wanted.metadata;
  const [owner] = (wanted.metadata.ownerReferences ?? []) as readonly Owner[];
  const owners = ownersOf(live);
  if (owner !== undefined && owners.some(({ uid }) => uid === owner.uid)) return;
  const label = labels[LABELS.node] === undefined ? LABELS.fleet : LABELS.node;
  const isOfTheName = owners.every((it) => it.kind === owner?.kind && it.name === owner.name);
  if (isOfTheName && isLabelledFor(live, label, labels[label] ?? '')) return;
  const holder = owners.find(({ controller }) => controller) ?? owners[0];
  throw resourceErrors.nameTaken(kind, name, holder && `${holder.kind} ${holder.name}`);
}
