import { expect, it } from 'vitest';
import { HostCheck, isSameOrigin } from './hostCheck.ts';

const check = new HostCheck(['localhost', 'RPC.example.com']);

it.each([
  'localhost',
  'localhost:8545',
  'LOCALHOST:1',
  'localhost.',
  '127.0.0.1:8545',
  '[::1]:8545',
  '[::1]',
  '10.1.2.3',
  'rpc.example.com',
  '',
  undefined,
])('host %s is answered', (host) => {
  expect(check.allows(host)).toBe(true);
});

it.each([
  'evil.example',
  'evil.example:8545',
  'localhost.evil.example',
  'evil.example:8545:1',
  '127.0.0.1.evil.example',
  '[evil.example]',
  'a@localhost',
  '::1',
  '2130706433',
])('host %s is refused', (host) => {
  expect(check.allows(host)).toBe(false);
  expect(new HostCheck(['*']).allows(host)).toBe(true);
});

it('a page of the listener itself is of the same origin', () => {
  expect(isSameOrigin('http://127.0.0.1:26657', '127.0.0.1:26657')).toBe(true);
  expect(isSameOrigin('http://127.0.0.1:8000', '127.0.0.1:26657')).toBe(false);
  expect(isSameOrigin('null', '127.0.0.1:26657')).toBe(false);
  expect(isSameOrigin('https://evil.example', 'evil.example.com')).toBe(false);
});
