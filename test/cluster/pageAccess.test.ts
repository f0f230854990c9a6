import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tokenReview } from '../../operator/src/app/reviewToken.ts';
import { KINDS } from '../../operator/src/kube/index.ts';
import { openStatusPage, viewOf } from '../../operator/src/statusPage/index.ts';
import { silentLogger, systemClock, urlOf } from '../../platform/src/index.ts';
import type { HttpServer } from '../../platform/src/servers/index.ts';
import {
  type ApiServer,
  missingApiServer,
  OPERATOR_USER,
  openApiServer,
  TOKENS,
} from '../support/apiServer.ts';
import { NAMESPACES } from '../support/kubeKinds.ts';
import { leftOutIf } from '../support/required.ts';

const namespace = 'page';
const RBAC = 'rbac.authorization.k8s.io';

describe('the status page that is exposed', leftOutIf('status page and tokens', missingApiServer()), () => {
  let server: ApiServer;
  const opened: HttpServer[] = [];
  beforeAll(async () => {
    server = await openApiServer();
    await server.client.create(NAMESPACES, { metadata: { name: namespace } } as never);
  });
  afterAll(async () => {
    for (const page of opened) await page.close();
    server?.close();
  });

  /** Statuses of `/status.json` and a live page, by token. */
  async function openFor(namespaces: readonly string[]) {
    const source = {
      revision: () => 1,
      view: () => viewOf({ nodes: [], fleets: [], events: [], said: () => undefined }),
      onChange: () => () => undefined,
    };
    const page = await openStatusPage(
      { address: '127.0.0.1', port: 0 },
      {
        source,
        clock: systemClock,
        logger: silentLogger,
        review: tokenReview(server.client, namespaces),
      },
    );
    opened.push(page);
    return async (token?: string) => {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const paths = ['/', '/status.json', '/live/', '/style.css'];
      const answers = await Promise.all(paths.map((path) => fetch(`${urlOf(page)}${path}`, { headers })));
      return [...new Set(answers.map(({ status }) => status))];
    };
  }

  it('is for those whom the API server lets list ChainNodes, in all namespaces that it shows', async () => {
    const [all, one] = [await openFor([]), await openFor([namespace])];
    expect(await all()).toEqual([401]);
    expect(await all('no-such-token')).toEqual([401]);
    expect(await all(TOKENS.admin)).toEqual([200]);
    expect(await one(TOKENS.operator)).toEqual([403]);
    await server.client.create(KINDS.role, {
      metadata: { namespace, name: 'reader' },
      rules: [{ apiGroups: ['chain.dev'], resources: ['chainnodes'], verbs: ['list'] }],
    } as never);
    await server.client.create(KINDS.roleBinding, {
      metadata: { namespace, name: 'reader' },
      roleRef: { apiGroup: RBAC, kind: 'Role', name: 'reader' },
      subjects: [{ apiGroup: RBAC, kind: 'User', name: OPERATOR_USER }],
    } as never);
    expect(await (await openFor([namespace]))(TOKENS.operator)).toEqual([200]);
    expect(await (await openFor([namespace, 'default']))(TOKENS.operator)).toEqual([403]);
    expect(await (await openFor([]))(TOKENS.operator)).toEqual([403]);
  });
});
