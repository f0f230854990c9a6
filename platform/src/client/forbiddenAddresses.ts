import { lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { CodedError } from '../errors.ts';

/** Link-local, unspecified and multicast addresses: clouds serve a machine's credentials at some of them. */
const SUBNETS = [
  ['169.254.0.0', 16, 'ipv4'],
  ['0.0.0.0', 8, 'ipv4'],
  ['224.0.0.0', 4, 'ipv4'],
  ['100.100.100.200', 32, 'ipv4'],
  ['fe80::', 10, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
  ['fd00:ec2::', 32, 'ipv6'],
  ['::', 128, 'ipv6'],
] as const;

const FORBIDDEN = new BlockList();
for (const [address, bits, family] of SUBNETS) FORBIDDEN.addSubnet(address, bits, family);

/** Names pass: `guardedLookup` looks at what they resolve to. Throws ASK_FORBIDDEN. */
export function refuseAddress(host: string): void {
  const family = isIP(host);
  if (family === 0 || !FORBIDDEN.check(host, family === 4 ? 'ipv4' : 'ipv6')) return;
  throw new CodedError(
    'ASK_FORBIDDEN',
    `${host} is a link-local, unspecified or multicast address, or one of a cloud's metadata; name another`,
    { fields: { host } },
  );
}

/** Node's own lookup, with the same addresses refused. */
export const guardedLookup: LookupFunction = (host, options, done) => {
  lookup(host, options, (error, found, family) => {
    if (error) return done(error, found, family);
    try {
      for (const one of typeof found === 'string' ? [found] : found)
        refuseAddress(typeof one === 'string' ? one : one.address);
    } catch (refusal) {
      return done(refusal as NodeJS.ErrnoException, '', 0);
    }
    done(null, found, family);
  });
};
