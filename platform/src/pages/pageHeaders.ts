export const HTML_TYPE = 'text/html; charset=utf-8';

/**
 * Headers of a page and of its files. Nothing is loaded from elsewhere and nothing runs inline: text that got past the
 * escaping still could not act. `forms` lets forms of the page be sent to its own host; with `images` a browser loads
 * pictures from there, and an icon.
 */
export function pageHeaders({
  forms,
  images,
}: {
  readonly forms: boolean;
  readonly images: boolean;
}): Readonly<Record<string, string>> {
  return {
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      `img-src ${images ? "'self'" : "'none'"}`,
      "connect-src 'self'",
      "base-uri 'none'",
      `form-action ${forms ? "'self'" : "'none'"}`,
      "frame-ancestors 'none'",
    ].join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  };
}
