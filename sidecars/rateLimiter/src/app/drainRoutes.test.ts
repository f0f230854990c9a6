import type { HttpRequest } from '@chain/platform/servers';
import { expect, it } from 'vitest';
import { drainRoutes } from './drainRoutes.ts';

it('is begun and ended from the same machine alone, by no page', async () => {
  let isDraining = false;
  const routes = drainRoutes({
    drain: () => {
      isDraining = true;
    },
    resume: () => {
      isDraining = false;
    },
    isDraining: () => isDraining,
    underWay: () => 0,
  });
  const ask = async (method: string, remoteAddress: string, origin?: string) => {
    const request = { url: '/drain', remoteAddress, headers: { origin }, onClose: () => undefined };
    const route = routes.find((it) => it.method === method);
    const reply = await route?.handler(request as unknown as HttpRequest);
    return [reply?.status ?? 200, isDraining];
  };
  expect(await ask('POST', '10.1.2.3')).toEqual([403, false]);
  expect(await ask('POST', '127.0.0.1', 'https://page.example')).toEqual([403, false]);
  expect(await ask('GET', '127.0.0.1')).toEqual([200, false]);
  expect(await ask('POST', '::ffff:127.0.0.1')).toEqual([200, true]);
  expect(await ask('DELETE', '10.1.2.3')).toEqual([403, true]);
  expect(await ask('DELETE', '::1')).toEqual([200, false]);
});
