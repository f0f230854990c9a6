import { readFileSync } from 'node:fs';
import type { HttpHandler, HttpRoute } from '@chain/platform/servers';
import type { RestDeps } from '../restOptions.ts';
import { openApiDocument } from './openApiDocument.ts';

const PAGE = new URL('page.html', import.meta.url);

/** `/swagger/` is the page, `/swagger/openapi.json` what it shows. */
export function documentRoutes(release: string, { schema, queries }: RestDeps): HttpRoute[] {
  const page = readFileSync(PAGE, 'utf8');
  let document: string | undefined;
  const json: HttpHandler = () => {
    document ??= JSON.stringify(openApiDocument({ schema, paths: queries.paths, release }));
    return { body: document };
  };
  const html: HttpHandler = () => ({
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'",
    },
    body: page,
  });
  const toPage: HttpHandler = () => ({ status: 307, headers: { location: '/swagger/' } });
  return [
    { method: 'GET', path: '/swagger', handler: toPage },
    { method: 'GET', path: '/swagger/', handler: html },
    { method: 'GET', path: '/swagger/openapi.json', handler: json },
  ];
}
