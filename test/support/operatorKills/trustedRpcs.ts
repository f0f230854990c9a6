import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Two consensus RPCs of a chain of two hundred blocks, which say what they are told to. */
export interface TrustedRpcs {
  readonly urls: readonly string[];
  /** `lying`: the second one has another hash of each block. */
  mood: 'honest' | 'lying' | 'gone';
  close(): void;
}

export async function openTrustedRpcs(chainId: string): Promise<TrustedRpcs> {
  const trusted = { mood: 'honest' as TrustedRpcs['mood'], urls: [] as string[] };
  const servers = await Promise.all(['a', 'b'].map((id) => openServer(trusted, { id, chainId })));
  for (const server of servers) {
    trusted.urls.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }
  return Object.assign(trusted, {
    close: () => {
      for (const server of servers) server.close();
    },
  });
}

async function openServer(
  trusted: Pick<TrustedRpcs, 'mood'>,
  { id, chainId }: { readonly id: string; readonly chainId: string },
): Promise<Server> {
  const server = createServer((request, response) => {
    if (trusted.mood === 'gone') return void request.destroy();
    const time = new Date().toISOString();
    const hash = trusted.mood === 'lying' && id === 'b' ? 'CD' : 'AB';
    const result = request.url?.startsWith('/status')
      ? {
          node_info: { id, network: chainId },
          sync_info: {
            latest_block_height: '200',
            earliest_block_height: '1',
            latest_block_time: time,
            catching_up: false,
          },
        }
      : { signed_header: { header: { time }, commit: { block_id: { hash } } } };
    response.end(JSON.stringify({ result }));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return server;
}
