import { type IpBytes, parseIp } from '@chain/platform';

/** `1.2.3.4:5678` and `[2001:db8::1]:443`, as some proxies write. */
const WITH_PORT = /^(?:\[([^\]]+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/;

/**
 * The client behind trusted proxies: from the right, the first address that is not trusted, for whatever stands left
 * of it the client itself may have written. When an entry is no address, the proxy that wrote it counts.
 */
export function clientBehind(
  peer: IpBytes,
  forwardedFor: string,
  isTrusted: (address: IpBytes) => boolean,
): IpBytes {
  let nearest = peer;
  let end = forwardedFor.length;
  while (end >= 0) {
    const comma = forwardedFor.lastIndexOf(',', end - 1);
    const address = parseEntry(forwardedFor.slice(comma + 1, end).trim());
    if (!address) return nearest;
    nearest = address;
    if (comma <= 0 || !isTrusted(address)) return nearest;
    end = comma;
  }
  return nearest;
}

function parseEntry(entry: string): IpBytes | undefined {
  const [, v6, v4] = WITH_PORT.exec(entry) ?? [];
  return parseIp(v6 ?? v4 ?? entry);
}
