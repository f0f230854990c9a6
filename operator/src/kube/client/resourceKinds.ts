import type {
  EventsV1Event,
  V1ConfigMap,
  V1EndpointSlice,
  V1Job,
  V1Lease,
  V1NetworkPolicy,
  V1Node,
  V1PersistentVolumeClaim,
  V1Pod,
  V1PodDisruptionBudget,
  V1Role,
  V1RoleBinding,
  V1Secret,
  V1Service,
  V1ServiceAccount,
  V1StatefulSet,
  V1StorageClass,
  V1VolumeAttachment,
} from '@kubernetes/client-node';
import type { KubeObject, Wire } from './wire.ts';

/** A kind as the API server files it. `T` is what its objects read as. */
export interface ResourceKind<T extends KubeObject = KubeObject> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly isNamespaced: boolean;
  /** For the compiler alone. */
  readonly object?: T;
}

export type StatefulSet = Wire<V1StatefulSet>;
export type Pod = Wire<V1Pod>;
export type Service = Wire<V1Service>;
export type ConfigMap = Wire<V1ConfigMap>;
export type Secret = Wire<V1Secret>;
export type ServiceAccount = Wire<V1ServiceAccount>;
export type PersistentVolumeClaim = Wire<V1PersistentVolumeClaim>;
export type Job = Wire<V1Job>;
export type Role = Wire<V1Role>;
export type RoleBinding = Wire<V1RoleBinding>;
export type NetworkPolicy = Wire<V1NetworkPolicy>;
export type PodDisruptionBudget = Wire<V1PodDisruptionBudget>;
export type EndpointSlice = Wire<V1EndpointSlice>;
export type StorageClass = Wire<V1StorageClass>;
export type VolumeAttachment = Wire<V1VolumeAttachment>;
export type Machine = Wire<V1Node>;
export type Lease = Wire<V1Lease>;
export type Event = Wire<EventsV1Event>;

/** Of kinds that the library does not know, such as custom resources. */
export interface UntypedObject extends KubeObject {
  readonly spec?: { readonly [name: string]: unknown };
  readonly status?: { readonly [name: string]: unknown };
}

interface Filed {
  readonly plural?: string;
  readonly isNamespaced?: boolean;
}

/** `resourceKind<ChainNode>('chain.dev/v1alpha1', 'ChainNode')`. */
export function resourceKind<T extends KubeObject>(
  apiVersion: string,
  kind: string,
  { plural = pluralOf(kind.toLowerCase()), isNamespaced = true }: Filed = {},
): ResourceKind<T> {
  return { apiVersion, kind, plural, isNamespaced };
}

/** As Kubernetes itself makes it: `networkpolicies`, `storageclasses`, `pods`. */
const pluralOf = (name: string): string =>
  name.endsWith('y') ? `${name.slice(0, -1)}ies` : `${name}${name.endsWith('s') ? 'es' : 's'}`;

/** The kinds that the operator knows. */
export const KINDS = {
  statefulSet: resourceKind<StatefulSet>('apps/v1', 'StatefulSet'),
  pod: resourceKind<Pod>('v1', 'Pod'),
  service: resourceKind<Service>('v1', 'Service'),
  configMap: resourceKind<ConfigMap>('v1', 'ConfigMap'),
  secret: resourceKind<Secret>('v1', 'Secret'),
  serviceAccount: resourceKind<ServiceAccount>('v1', 'ServiceAccount'),
  persistentVolumeClaim: resourceKind<PersistentVolumeClaim>('v1', 'PersistentVolumeClaim'),
  job: resourceKind<Job>('batch/v1', 'Job'),
  role: resourceKind<Role>('rbac.authorization.k8s.io/v1', 'Role'),
  roleBinding: resourceKind<RoleBinding>('rbac.authorization.k8s.io/v1', 'RoleBinding'),
  networkPolicy: resourceKind<NetworkPolicy>('networking.k8s.io/v1', 'NetworkPolicy'),
  podDisruptionBudget: resourceKind<PodDisruptionBudget>('policy/v1', 'PodDisruptionBudget'),
  endpointSlice: resourceKind<EndpointSlice>('discovery.k8s.io/v1', 'EndpointSlice'),
  storageClass: resourceKind<StorageClass>('storage.k8s.io/v1', 'StorageClass', { isNamespaced: false }),
  volumeAttachment: resourceKind<VolumeAttachment>('storage.k8s.io/v1', 'VolumeAttachment', {
    isNamespaced: false,
  }),
  machine: resourceKind<Machine>('v1', 'Node', { isNamespaced: false }),
  lease: resourceKind<Lease>('coordination.k8s.io/v1', 'Lease'),
  event: resourceKind<Event>('events.k8s.io/v1', 'Event'),
  volumeSnapshot: resourceKind<UntypedObject>('snapshot.storage.k8s.io/v1', 'VolumeSnapshot'),
  podMonitor: resourceKind<UntypedObject>('monitoring.coreos.com/v1', 'PodMonitor'),
} as const;

/** Where on the API server a kind, or one object of it, is. */
export function pathOf(
  { apiVersion, plural, isNamespaced }: ResourceKind,
  { namespace, name }: { readonly namespace?: string | undefined; readonly name?: string | undefined },
): string {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const scope = isNamespaced && namespace !== undefined ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  return `${root}${scope}/${plural}${name === undefined ? '' : `/${encodeURIComponent(name)}`}`;
}
