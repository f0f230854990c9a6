/** As URLs and listeners have them: an IPv6 address stands in brackets. */
export function hostAndPort(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Where a listener answers. */
export function urlOf(
  listener: { readonly address: string; readonly port: number },
  scheme = 'http',
): string {
  return `${scheme}://${hostAndPort(listener.address, listener.port)}`;
}
