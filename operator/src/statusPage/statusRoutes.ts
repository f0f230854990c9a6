import type { Clock } from '@chain/platform';
import { HTML_TYPE, type Html, html, pageHeaders } from '@chain/platform/pages';
import type { HttpReply, HttpRequest, HttpRoute } from '@chain/platform/servers';
import { LIVE_SCRIPT, STYLE } from './assets.ts';
import { nodePage } from './nodePage.ts';
import { overviewPage } from './overviewPage.ts';
import type { StatusSource } from './statusSource.ts';

const SECURITY = pageHeaders({ forms: false, images: false });

const MISSING = html`<p>No such node. <a href="/">All nodes</a></p>`;

/** Pages, their live forms under `/live`, `/status.json`, script and style. */
export function statusRoutes(
  source: StatusSource,
  { clock, holdMs }: { readonly clock: Clock; readonly holdMs: number },
): readonly HttpRoute[] {
  const bodies: Readonly<Record<string, (request: HttpRequest) => Html | undefined>> = {
    '/': () => overviewPage(source.view(), clock.now()),
    '/nodes/:namespace/:name': ({ params }) => {
      const { nodes, events } = source.view();
      const node = nodes.find(
        ({ namespace, name }) => namespace === params.namespace && name === params.name,
      );
      const subject = `${params.namespace}/${params.name}`;
      return (
        node &&
        nodePage(
          node,
          events.filter((event) => event.subject === subject),
          clock.now(),
        )
      );
    },
  };
  const get = (path: string, handler: HttpRoute['handler']): HttpRoute => ({ method: 'GET', path, handler });
  const file = (path: string, type: string, body: string) =>
    get(path, () => ({ headers: { ...SECURITY, 'content-type': type }, body }));
  return [
    file('/style.css', 'text/css; charset=utf-8', STYLE),
    file('/live.js', 'text/javascript; charset=utf-8', LIVE_SCRIPT),
    get('/status.json', () => ({ headers: SECURITY, body: JSON.stringify(source.view()) })),
    ...Object.entries(bodies).flatMap(([path, body]) => [
      get(path, (request) => whole(body(request))),
      get(`/live${path}`, (request) => live(request, body)),
    ]),
  ];

  /** Answers at once when the reader has seen another state than the present one, else at the next change. */
  async function live(
    request: HttpRequest,
    body: (request: HttpRequest) => Html | undefined,
  ): Promise<HttpReply> {
    const seen = new URL(request.url, 'http://page').searchParams.get('seen');
    if (String(source.revision()) === seen) await changed(request);
    const present = body(request);
    return present ? page(present) : { ...page(MISSING), status: 404 };
  }

  function changed(request: HttpRequest): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const forget = source.onChange(resolve);
    const timer = setTimeout(resolve, holdMs);
    request.onClose(resolve);
    return promise.finally(() => {
      forget();
      clearTimeout(timer);
    });
  }

  function whole(body: Html | undefined): HttpReply {
    const reply = page(shell(body ?? MISSING, source.revision()));
    return body ? reply : { ...reply, status: 404 };
  }

  function page(text: Html): HttpReply {
    const etag = String(source.revision());
    return { headers: { ...SECURITY, 'content-type': HTML_TYPE, etag }, body: text.text };
  }
}

function shell(body: Html, revision: number): Html {
  return html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Chain operator</title><link rel="stylesheet" href="/style.css"><script type="module" src="/live.js"></script></head>
<body><header><h1>Chain operator</h1><small id="live"></small></header><main data-seen="${revision}">${body}</main></body></html>`;
}
