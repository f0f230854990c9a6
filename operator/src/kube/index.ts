/**
 * The API server and the runtime of controllers: requests, caches, queues, reconciling, events, leadership.
 * Owns: @kubernetes/client-node, connections, watches, what an answer means. Does not own: what is reconciled.
 * Invariant: objects are plain JSON as on the wire; one key is never reconciled twice at once; what is cached is
 * never written back.
 */
export { Informer, type InformerDeps, type InformerOptions } from './cache/informer.ts';
export type { Change } from './cache/objectStore.ts';
export { type CredentialSource, loadCredentials } from './client/credentials.ts';
export {
  type ApplyOptions,
  type DeleteOptions,
  type KubeClient,
  keyOf,
  type ListOptions,
  type LogOptions,
  type MetadataPatch,
  type ObjectRef,
  refOf,
} from './client/kubeClient.ts';
export { isOfEndingNamespace, type KubeErrorCode } from './client/kubeErrors.ts';
export { type OpenedClient, openKubeClient } from './client/openKubeClient.ts';
export {
  type ConfigMap,
  type EndpointSlice,
  type Event,
  type Job,
  KINDS,
  type Lease,
  type Machine,
  type NetworkPolicy,
  type PersistentVolumeClaim,
  type Pod,
  type PodDisruptionBudget,
  type ResourceKind,
  type Role,
  type RoleBinding,
  resourceKind,
  type Secret,
  type Service,
  type ServiceAccount,
  type StatefulSet,
  type StorageClass,
  type UntypedObject,
  type VolumeAttachment,
} from './client/resourceKinds.ts';
export { isFailedWait } from './client/waitingReason.ts';
export type { KubeObject, Partially } from './client/wire.ts';
export {
  Controller,
  type ControllerOptions,
  type Reconcile,
  type ReconcileResult,
} from './runtime/controller.ts';
export { type EventRecorder, openEventRecorder, type RecordedEvent } from './runtime/eventRecorder.ts';
export { addFinalizer, removeFinalizer } from './runtime/finalizers.ts';
export { LeaderElection, type LeaderElectionOptions } from './runtime/leaderElection.ts';
export { leadingClient } from './runtime/leadingClient.ts';
export { transientError } from './runtime/reconcileError.ts';
export { type RuntimeMetrics, runtimeMetrics } from './runtime/runtimeMetrics.ts';
export { WorkQueue } from './runtime/workQueue.ts';
