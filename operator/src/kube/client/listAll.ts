import { isCodedError, parseJson } from '@chain/platform';
import type { ListOptions } from './kubeClient.ts';
import { pathOf, type ResourceKind } from './resourceKinds.ts';
import type { Transport } from './transport.ts';
import { type KubeObject, withoutManagedFields } from './wire.ts';

const PAGE = 500;
const RESTARTS = 3;

interface Page<T> {
  readonly metadata: { readonly continue?: string; readonly resourceVersion: string };
  readonly items?: readonly T[];
}

export interface Listed<T> {
  readonly items: readonly T[];
  /** Where a watch goes on. */
  readonly resourceVersion: string;
}

/** Every page of a list. When the token of the next page is too old, it begins again. */
export async function listAll<T extends KubeObject>(
  transport: Transport,
  kind: ResourceKind<T>,
  options: ListOptions & { readonly signal?: AbortSignal } = {},
): Promise<Listed<T>> {
  for (let restarts = 0; ; restarts++) {
    try {
      return await listPages(transport, kind, options);
    } catch (error) {
      if (!isCodedError(error, 'KUBE_GONE') || restarts >= RESTARTS) throw error;
    }
  }
}

async function listPages<T extends KubeObject>(
  transport: Transport,
  kind: ResourceKind<T>,
  { namespace, labelSelector, fieldSelector, signal }: ListOptions & { readonly signal?: AbortSignal },
): Promise<Listed<T>> {
  const items: T[] = [];
  let next: string | undefined;
  for (;;) {
    const text = await transport.send({
      method: 'GET',
      verb: 'list',
      path: pathOf(kind, { namespace }),
      query: { labelSelector, fieldSelector, limit: String(PAGE), continue: next },
      ...(signal && { signal }),
    });
    const page = parseJson(text) as Page<T>;
    // Items of lists of built-in kinds do not say what they are.
    for (const item of page.items ?? [])
      items.push(withoutManagedFields({ ...item, apiVersion: kind.apiVersion, kind: kind.kind }));
    next = page.metadata.continue || undefined;
    if (next === undefined) return { items, resourceVersion: page.metadata.resourceVersion };
  }
}
