/**
 * Who a client is: addresses, networks, X-Forwarded-For, the PROXY protocol.
 * Owns: the rules by which an address is believed. Does not own: sockets, limits.
 * Invariant: nothing that an untrusted peer writes changes who it is.
 */
export { clientBehind } from './forwardedFor.ts';
export { Network } from './network.ts';
export { readProxyHeader } from './proxyHeader.ts';
