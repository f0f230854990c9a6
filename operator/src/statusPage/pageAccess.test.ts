import type { HttpReply, HttpRequest } from '@chain/platform/servers';
import { describe, expect, it } from 'vitest';
import { type Review, reviewedRoutes } from './pageAccess.ts';

let now = 0;
const clock = { now: () => now };

function page(review: Review): (authorization?: string) => Promise<HttpReply> {
  const [route] = reviewedRoutes([{ method: 'GET', path: '/', handler: () => ({ body: 'heights' }) }], {
    review,
    clock,
  });
  return async (authorization) =>
    await route!.handler({ headers: { ...(authorization && { authorization }) } } as HttpRequest);
}

const basic = (password: string): string => `Basic ${Buffer.from(`me:${password}`).toString('base64')}`;

describe('a page behind the API server', () => {
  it('shows nothing without a token, to an unknown one, and to who may not list', async () => {
    const asked: string[] = [];
    const open = page(async (token) => {
      asked.push(token);
      return token === 'good' ? 'allowed' : token === 'known' ? 'refused' : 'unknown';
    });
    for (const header of [
      undefined,
      'Bearer',
      'Digest good',
      'Bearer a b',
      basic(''),
      'Bearer x'.repeat(9_000),
    ]) {
      const { status, headers, body } = await open(header);
      expect([status, body]).toEqual([401, expect.stringContaining('bring a token')]);
      expect(headers?.['www-authenticate']).toContain('Bearer');
    }
    expect(asked).toEqual([]);
    expect((await open('Bearer bad')).status).toBe(401);
    expect((await open('Bearer known')).status).toBe(403);
    expect(await open('Bearer good')).toEqual({ body: 'heights' });
    expect(await open(basic('good'))).toEqual({ body: 'heights' });
    expect(asked).toEqual(['bad', 'known', 'good']);
  });

  it('asks again in time, and at once after an error', async () => {
    let says: 'allowed' | 'refused' | 'error' = 'error';
    const open = page(async () => {
      if (says === 'error') throw new RangeError('down');
      return says;
    });
    expect((await open('Bearer t')).status).toBe(503);
    says = 'allowed';
    expect((await open('Bearer t')).body).toBe('heights');
    says = 'refused';
    expect((await open('Bearer t')).body).toBe('heights');
    now += 60_001;
    expect((await open('Bearer t')).status).toBe(403);
  });

  it('asks for a few unknown tokens at once, and for one of them once', async () => {
    const { promise, resolve } = Promise.withResolvers<'unknown'>();
    let asked = 0;
    const open = page(() => {
      asked++;
      return promise;
    });
    const tries = Array.from({ length: 40 }, (_, i) => open(`Bearer t${i % 20}`));
    resolve('unknown');
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(asked).toBe(4);
    expect(statuses.filter((status) => status === 401)).toHaveLength(8);
    expect(statuses.filter((status) => status === 503)).toHaveLength(32);
  });
});
