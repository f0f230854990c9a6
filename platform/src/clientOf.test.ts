import { expect, it } from 'vitest';
import { clientOf } from './clientOf.ts';

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::ffff:c000:207', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:0db8:0001:0002::/64'],
  ['2001:db8:1:2:ffff::', '2001:0db8:0001:0002::/64'],
  ['::1', '0000:0000:0000:0000::/64'],
  ['', ''],
])('the limits of %s are those of %s', (address, client) => {
  expect(clientOf(address)).toBe(client);
});
