import { clientKey } from './clientKey.ts';
import { parseIp } from './ipAddress.ts';

/** One site gets so many leading bits of an IPv6 address, and may use all addresses behind them. */
const SITE_BITS = 64;
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** Whose limits a peer's address counts for: an IPv4 address, also within IPv6, or the /64 of an IPv6 address. */
export function clientOf(remoteAddress: string): string {
  if (!remoteAddress.includes(':')) return remoteAddress;
  const [, v4] = MAPPED.exec(remoteAddress) ?? [];
  if (v4 !== undefined) return v4;
  const address = parseIp(remoteAddress);
  if (!address) return remoteAddress;
  const key = clientKey(address, SITE_BITS);
  return address.length === 4 ? key : `${key.replaceAll(/(.{4})(?!$)/g, '$1:')}::/${SITE_BITS}`;
}
