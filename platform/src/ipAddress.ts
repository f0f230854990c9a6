import { isIP } from 'node:net';

/** An IP address as bytes: 4, or 16. An IPv4 address within IPv6 is an IPv4 address. */
export type IpBytes = Uint8Array;

const GROUPS = 8;
const MAPPED_PREFIX = [0, 0, 0, 0, 0, 0xffff];

/** Reads an address in text; zones (`fe80::1%eth0`) are dropped. `undefined` when it is none. */
export function parseIp(text: string): IpBytes | undefined {
  const zone = text.indexOf('%');
  const plain = zone === -1 ? text : text.slice(0, zone);
  const family = isIP(plain);
  if (family === 4) return Uint8Array.from(plain.split('.'), Number);
  return family === 6 ? parseV6(plain) : undefined;
}

function parseV6(text: string): IpBytes {
  const [head = '', tail] = text.split('::');
  const before = groupsOf(head);
  const after = tail === undefined ? [] : groupsOf(tail);
  const groups = [...before, ...Array(GROUPS - before.length - after.length).fill(0), ...after];
  if (MAPPED_PREFIX.every((group, i) => groups[i] === group)) {
    return Uint8Array.from(groups.slice(6).flatMap((group) => [group >> 8, group & 0xff]));
  }
  return Uint8Array.from(groups.flatMap((group) => [group >> 8, group & 0xff]));
}

function groupsOf(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
    return [(a << 8) | b, (c << 8) | d];
  });
}

/** Whether both begin with the same `bits` bits. */
export function sharePrefix(a: IpBytes, b: IpBytes, bits: number): boolean {
  if (a.length !== b.length) return false;
  const whole = bits >> 3;
  for (let i = 0; i < whole; i++) if (a[i] !== b[i]) return false;
  const rest = bits & 7;
  return rest === 0 || (a[whole]! ^ b[whole]!) >> (8 - rest) === 0;
}
