/** As URLs and listeners have them: an IPv6 address stands in brackets. */
export function hostAndPort(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Where a listener answers. */
export function urlOf(
  listener: { readonly address: string; readonly port: number; readonly isSecure?: boolean },
  scheme = 'http',
): string {
  return `${scheme}${listener.isSecure ? 's' : ''}://${hostAndPort(listener.address, listener.port)}`;
}
