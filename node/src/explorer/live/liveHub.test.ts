import type { HttpRequest } from '@chain/platform/servers';
import { expect, it } from 'vitest';
import { LiveHub } from './liveHub.ts';

it('a window that opens has what came before it did', async () => {
  const hub = new LiveHub({ maxStreams: 1, headers: {} }, async () => 'newest');
  // Of no window's interest, for there is none.
  hub.changed();
  const request = { onClose: () => undefined } as unknown as HttpRequest;
  const sent = new Promise<string>((done) => {
    void hub.open(request).stream!((text) => {
      if (text.startsWith('data:')) done(text);
      return true;
    });
  });
  expect(await sent).toBe('data: newest\n\n');
  hub.close();
});
