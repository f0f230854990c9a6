import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a block of a served chain has; it may be any number of transactions from `FROM` to `TO`. */
export interface ServedChain {
  /** Newest first is `head`; heights that are missing have no transactions. */
  readonly head: number;
  readonly transactions?: Readonly<Record<number, number>>;
  /** The oldest block that it has. */
  readonly floor?: number;
  readonly balance?: string;
  /** Answers of methods instead of the chain's: a result, or an error; `hang` never answers. */
  readonly instead?: Readonly<Record<string, { result?: unknown; error?: object } | 'hang' | 'html'>>;
}

export interface RpcServer {
  readonly url: string;
  /** `method height` of what was asked. */
  readonly asked: string[];
  close(): Promise<void>;
}

export const FROM = `0x${'11'.repeat(20)}`;
export const TO = `0x${'22'.repeat(20)}`;

/** JSON-RPC of a chain that is made up, on the loopback. */
export async function serveChain(chain: ServedChain): Promise<RpcServer> {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const { method, params } = JSON.parse(await textOf(request)) as { method: string; params: unknown[] };
    asked.push(`${method} ${heightOf(params) ?? ''}`.trim());
    const instead = chain.instead?.[method];
    if (instead === 'hang') return;
    if (instead === 'html') return void response.writeHead(502).end('<html>Bad Gateway</html>');
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, ...(instead ?? answerOf(chain, method, params)) }));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

function answerOf(chain: ServedChain, method: string, params: readonly unknown[]) {
  if (method === 'eth_blockNumber') return { result: hex(chain.head) };
  const height = heightOf(params)!;
  if (height > chain.head) return { result: null };
  if (height < (chain.floor ?? 1)) return { error: { code: -32000, message: `block ${height} is pruned` } };
  const count = chain.transactions?.[height] ?? 0;
  if (method === 'eth_getBlockTransactionCountByNumber') return { result: hex(count) };
  if (method === 'eth_getBalance') return { result: chain.balance ?? '0x1' };
  if (method === 'eth_getTransactionCount') return { result: hex(count) };
  const transactions = Array.from({ length: count }, (_, index) => ({
    hash: `0x${height}${index}`,
    from: FROM,
    to: TO,
  }));
  if (method === 'eth_getBlockByNumber') return { result: { number: hex(height), transactions } };
  return { result: transactions.map(({ hash }) => ({ method, hash })) };
}

function heightOf([first, second]: readonly unknown[]): number | undefined {
  const given = typeof first === 'object' ? (first as { fromBlock: string }).fromBlock : first;
  const text = given === FROM || given === TO ? second : given;
  return text === undefined ? undefined : Number(text);
}

const hex = (value: number): string => `0x${value.toString(16)}`;

async function textOf(request: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}
