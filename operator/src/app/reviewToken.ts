import { type KubeClient, type KubeObject, resourceKind } from '../kube/index.ts';
import type { Review } from '../statusPage/index.ts';

const CLUSTER = { isNamespaced: false };
const TOKEN_REVIEW = resourceKind<Reviewed>('authentication.k8s.io/v1', 'TokenReview', CLUSTER);
const ACCESS_REVIEW = resourceKind<Reviewed>('authorization.k8s.io/v1', 'SubjectAccessReview', CLUSTER);
const LISTS_NODES = { group: 'chain.dev', resource: 'chainnodes', verb: 'list' } as const;

interface Reviewed extends KubeObject {
  readonly status?: {
    readonly authenticated?: boolean;
    readonly allowed?: boolean;
    readonly user?: {
      readonly username?: string;
      readonly uid?: string;
      readonly groups?: readonly string[];
      readonly extra?: Readonly<Record<string, readonly string[]>>;
    };
  };
}

/** Asks whose a token is, and whether they may list ChainNodes in each namespace that the page shows. */
export function tokenReview(client: KubeClient, namespaces: readonly string[]): Review {
  const create = async (kind: typeof TOKEN_REVIEW, spec: object): Promise<Reviewed['status']> =>
    (await client.create(kind, { metadata: { name: '' }, spec } as never)).status;
  return async (token) => {
    const { authenticated, user } = (await create(TOKEN_REVIEW, { token })) ?? {};
    if (authenticated !== true || !user?.username) return 'unknown';
    const { username, uid, groups, extra } = user;
    const shown = namespaces.length === 0 ? [undefined] : namespaces;
    for (const namespace of shown) {
      const resourceAttributes = { ...LISTS_NODES, ...(namespace !== undefined && { namespace }) };
      const subject = {
        user: username,
        ...(uid && { uid }),
        ...(groups && { groups }),
        ...(extra && { extra }),
      };
      const said = await create(ACCESS_REVIEW, { ...subject, resourceAttributes });
      if (said?.allowed !== true) return 'refused';
    }
    return 'allowed';
  };
}

const LOOPBACK = /^(127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1|localhost)$/;

/** Who reaches a loopback address was let in before: by the API server, where it is `kubectl port-forward`. */
export function asksTokens({
  access,
  address,
}: {
  readonly access: string;
  readonly address: string;
}): boolean {
  return access === 'tokens' || (access === 'auto' && !LOOPBACK.test(address));
}
