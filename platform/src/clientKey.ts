import { type IpBytes, parseIp } from './ipAddress.ts';

/** What tells clients apart: an IPv4 address, or the leading bits of an IPv6 address. */
export function clientKey(address: IpBytes, ipv6Prefix: number): string {
  if (address.length === 4) return address.join('.');
  const whole = ipv6Prefix >> 3;
  const rest = ipv6Prefix & 7;
  const kept = Buffer.from(address.subarray(0, whole + (rest === 0 ? 0 : 1)));
  if (rest !== 0) kept[whole] = kept[whole]! & (0xff << (8 - rest));
  return kept.toString('hex');
}

/** For peers that have no address any more: all of them together. */
const NO_ADDRESS = new Uint8Array(4);

/** The address of a socket's peer. */
export function peerAddress(remoteAddress: string | undefined): IpBytes {
  return (remoteAddress === undefined ? undefined : parseIp(remoteAddress)) ?? NO_ADDRESS;
}
