import { type KubeObject, resourceKind } from '../../operator/src/kube/index.ts';

/** What tests make beside what the operator does. */
export const NAMESPACES = resourceKind<KubeObject>('v1', 'Namespace', { isNamespaced: false });
