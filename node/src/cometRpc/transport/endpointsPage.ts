import type { HttpReply } from '@chain/platform/servers';
import type { CometMethod } from '../cometMethod.ts';

/** What a browser sees at `/`: a link to each method. */
export function endpointsPage(
  methods: ReadonlyMap<string, CometMethod>,
  host: string | undefined,
): HttpReply {
  const links = [...methods.values()]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, params }) => {
      const query = Object.keys(params)
        .map((param) => `${param}=_`)
        .join('&');
      const link = `//${escapeHtml(host ?? '')}/${name}?${query}`;
      return `<a href="${link}">${link}</a></br>`;
    });
  return {
    headers: { 'content-type': 'text/html' },
    body: `<html><body><br>Available endpoints:<br><br>Endpoints that require arguments:<br>${links.join('')}</body></html>`,
  };
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[^\w.:[\]-]/g, '');
}
