import { clientKey, parseIp, peerAddress } from '@chain/platform';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clientBehind } from './forwardedFor.ts';
import { Network } from './network.ts';
import { readProxyHeader } from './proxyHeader.ts';

const ip = (text: string) => parseIp(text)!;
const show = (bytes: Uint8Array | undefined) => bytes && clientKey(bytes, 128);

describe('addresses', () => {
  it('are read in every spelling', () => {
    expect(show(ip('10.1.2.3'))).toBe('10.1.2.3');
    expect(show(ip('::ffff:10.1.2.3'))).toBe('10.1.2.3');
    expect(show(ip('::ffff:0a01:0203'))).toBe('10.1.2.3');
    expect(show(ip('2001:DB8::1'))).toBe('20010db8000000000000000000000001');
    expect(show(ip('2001:db8:0:0:0:0:0:1'))).toBe('20010db8000000000000000000000001');
    expect(show(ip('64:ff9b::10.1.2.3'))).toBe('0064ff9b00000000000000000a010203');
    expect(show(ip('fe80::1%eth0'))).toBe('fe800000000000000000000000000001');
    expect(show(ip('::'))).toBe('0'.repeat(32));
  });

  it('are none where nothing else would take them', () => {
    for (const text of [
      '',
      '10.1.2',
      '10.1.2.256',
      '010.1.2.3',
      '1.2.3.4.5',
      'x',
      '::1::',
      '12345::',
      '1.2.3.4 ',
    ]) {
      expect(parseIp(text), text).toBeUndefined();
    }
  });

  it('agree with fast-check about IPv6 and IPv4', () => {
    fc.assert(fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => parseIp(text) !== undefined));
  });

  it('of IPv6 count by their first 64 bits, of IPv4 each alone', () => {
    const key = (text: string) => clientKey(peerAddress(text), 64);
    expect(key('2001:db8:1:2::1')).toBe(key('2001:db8:1:2:ffff:ffff:ffff:ffff'));
    expect(key('2001:db8:1:2::1')).not.toBe(key('2001:db8:1:3::1'));
    expect(key('10.0.0.1')).not.toBe(key('10.0.0.2'));
    expect(clientKey(ip('2001:db8:1:2fff::'), 52)).toBe(clientKey(ip('2001:db8:1:2000::'), 52));
  });
});

describe('networks', () => {
  it('hold what shares their first bits, in one family', () => {
    const has = (network: string, address: string) => Network.parse(network)!.has(ip(address));
    expect(has('10.0.0.0/8', '10.255.0.1')).toBe(true);
    expect(has('10.0.0.0/8', '11.0.0.1')).toBe(false);
    expect(has('10.0.0.0/9', '10.128.0.1')).toBe(false);
    expect(has('192.168.1.1', '192.168.1.1')).toBe(true);
    expect(has('0.0.0.0/0', '1.2.3.4')).toBe(true);
    expect(has('0.0.0.0/0', '2001:db8::1')).toBe(false);
    expect(has('2001:db8::/33', '2001:db8:7fff::1')).toBe(true);
    expect(has('2001:db8::/33', '2001:db8:8000::1')).toBe(false);
  });

  it('are none with bits that the family does not have', () => {
    for (const text of [
      '10.0.0.0/33',
      '::/129',
      '10.0.0.0/',
      '10.0.0.0/x',
      'x/8',
      '10.0.0.0/-1',
      '10.0.0.0/8/8',
    ]) {
      expect(Network.parse(text), text).toBeUndefined();
    }
  });
});

describe('X-Forwarded-For', () => {
  const trusted = [Network.parse('10.0.0.0/8')!, Network.parse('2001:db8::/32')!];
  const behind = (text: string) =>
    show(clientBehind(ip('10.0.0.1'), text, (address) => trusted.some((network) => network.has(address))));

  it('gives the right-most address that is not trusted', () => {
    expect(behind('1.2.3.4')).toBe('1.2.3.4');
    expect(behind('1.2.3.4, 10.0.0.7')).toBe('1.2.3.4');
    expect(behind('9.9.9.9, 1.2.3.4, 10.0.0.7,10.0.0.8')).toBe('1.2.3.4');
  });

  it('believes nothing left of that, which the client may have made up', () => {
    expect(behind('127.0.0.1, 8.8.8.8, 1.2.3.4')).toBe('1.2.3.4');
    expect(behind('10.0.0.99, 1.2.3.4')).toBe('1.2.3.4');
  });

  it('gives the left-most when all are trusted, and the proxy where an entry is no address', () => {
    expect(behind('10.0.0.5, 10.0.0.6')).toBe('10.0.0.5');
    expect(behind('')).toBe('10.0.0.1');
    expect(behind('unknown')).toBe('10.0.0.1');
    expect(behind('1.2.3.4, nonsense, 10.0.0.6')).toBe('10.0.0.6');
    expect(behind(',')).toBe('10.0.0.1');
    expect(behind(',1.2.3.4')).toBe('1.2.3.4');
  });

  it('takes ports and brackets', () => {
    expect(behind('1.2.3.4:5678')).toBe('1.2.3.4');
    expect(behind('[2a00::1]:443')).toBe('2a000000000000000000000000000001');
    expect(behind('[2a00::1]')).toBe('2a000000000000000000000000000001');
  });

  it('ends for any text, with the peer or an address in it', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('1.2.3.4', '10.0.0.9', ',', ' ', 'x', '[', ']')), (parts) => {
        expect(['1.2.3.4', '10.0.0.9', '10.0.0.1']).toContain(behind(parts.join('')));
      }),
    );
  });
});

describe('the PROXY protocol', () => {
  const v2 = (command: number, family: number, addresses: readonly number[]) =>
    Buffer.concat([
      Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1'),
      Buffer.from([0x20 | command, family, addresses.length >> 8, addresses.length & 0xff, ...addresses]),
    ]);
  const client = (bytes: Buffer) => {
    const read = readProxyHeader(bytes);
    return typeof read === 'string' ? read : [show(read.client), read.length];
  };

  it('version 1 names the client', () => {
    const line = 'PROXY TCP4 1.2.3.4 5.6.7.8 1000 26657\r\n';
    expect(client(Buffer.from(`${line}GET / HTTP/1.1\r\n`))).toEqual(['1.2.3.4', line.length]);
    expect(client(Buffer.from('PROXY TCP6 2a00::1 ::1 1 2\r\n'))).toEqual([
      '2a000000000000000000000000000001',
      28,
    ]);
    expect(client(Buffer.from('PROXY UNKNOWN\r\n'))).toEqual([undefined, 15]);
  });

  it('version 2 names the client, or leaves the proxy to speak for itself', () => {
    const inet = v2(1, 0x11, [1, 2, 3, 4, 5, 6, 7, 8, 0, 80, 1, 187]);
    expect(client(inet)).toEqual(['1.2.3.4', 28]);
    const inet6 = v2(1, 0x21, [...ip('2a00::1'), ...ip('2a00::2'), 0, 80, 1, 187, 3, 0, 1, 0]);
    expect(client(inet6)).toEqual(['2a000000000000000000000000000001', 56]);
    expect(client(v2(0, 0, []))).toEqual([undefined, 16]);
  });

  it('asks for more as long as it may still come, and refuses what cannot be a header', () => {
    const whole = v2(1, 0x11, [1, 2, 3, 4, 5, 6, 7, 8, 0, 80, 1, 187]);
    for (let length = 0; length < whole.length; length++) {
      expect(client(whole.subarray(0, length)), `${length}`).toBe('more');
    }
    const line = Buffer.from('PROXY TCP4 1.2.3.4 5.6.7.8 1000 26657\r\n');
    for (let length = 0; length < line.length; length++)
      expect(client(line.subarray(0, length))).toBe('more');
    for (const text of [
      'GET / HTTP/1.1',
      'PROXY TCP4 x y 1 2\r\n',
      'PROXY TCP4 1.2.3.4\r\n',
      'PROXY '.padEnd(107),
    ]) {
      expect(client(Buffer.from(text)), text).toBe('malformed');
    }
    expect(client(Buffer.concat([whole.subarray(0, 12), Buffer.from([0x11, 0x11, 0, 12])]))).toBe(
      'malformed',
    );
    expect(client(Buffer.concat([whole.subarray(0, 12), Buffer.from([0x21, 0x11, 0xff, 0xff])]))).toBe(
      'malformed',
    );
  });

  it('never throws, whatever comes', () => {
    fc.assert(fc.property(fc.uint8Array(), (bytes) => void readProxyHeader(Buffer.from(bytes))));
  });
});
