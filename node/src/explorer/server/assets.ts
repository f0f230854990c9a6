import { readFileSync } from 'node:fs';
import { pageHeaders } from '@chain/platform/pages';
import type { HttpRoute } from '@chain/platform/servers';

const FILES = [
  ['style.css', 'text/css; charset=utf-8'],
  ['page.js', 'text/javascript; charset=utf-8'],
  ['icon.svg', 'image/svg+xml'],
] as const;

/** Style, script and icon, as they lie in `assets`. */
export function assetRoutes(): HttpRoute[] {
  return FILES.map(([name, type]) => {
    const body = readFileSync(new URL(`../assets/${name}`, import.meta.url));
    const headers = {
      ...pageHeaders({ forms: true, images: true }),
      'content-type': type,
      // A new release is seen after a minute.
      'cache-control': 'max-age=60',
    };
    return { method: 'GET', path: `/explorer/${name}`, handler: () => ({ headers, body }) };
  });
}
