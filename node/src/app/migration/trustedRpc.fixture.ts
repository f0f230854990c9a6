import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface TrustedRpcState {
  network: string;
  nodeId: string;
  latest: number;
  earliest: number;
  /** Age of the newest block in milliseconds. */
  ageMs: number;
  /** Makes another chain's hashes. */
  salt: string;
  validators: string[];
  snapshots: number[];
}

/** A consensus RPC of a test, which says what its `state` says. */
export interface TrustedRpc {
  readonly url: string;
  readonly state: TrustedRpcState;
  close(): void;
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').toUpperCase();
const timeOf = ({ ageMs, latest }: TrustedRpcState, height: number): string =>
  new Date(Date.now() - ageMs - (latest - height) * 1000).toISOString();

type Method = (state: TrustedRpcState, params: Readonly<Record<string, string>>) => unknown;

const METHODS: Readonly<Record<string, Method>> = {
  status: (state) => ({
    node_info: { id: state.nodeId, network: state.network, listen_addr: 'tcp://0.0.0.0:26656' },
    sync_info: {
      latest_block_height: String(state.latest),
      earliest_block_height: String(state.earliest),
      latest_block_time: timeOf(state, state.latest),
      catching_up: false,
    },
  }),
  block: (state, { height }) => ({
    block_id: { hash: hashOf(`${state.salt} block ${height}`) },
    block: { header: { app_hash: hashOf(`app ${height}`), time: timeOf(state, Number(height)) } },
  }),
  net_info: () => ({
    peers: [
      { remote_ip: '10.0.0.9', node_info: { id: 'ee'.repeat(20), listen_addr: 'tcp://0.0.0.0:26656' } },
    ],
  }),
  validators: ({ validators }) => ({
    validators: validators.map((address) => ({ address })),
    total: String(validators.length),
  }),
  abci_query: ({ snapshots }) => ({
    response: { code: 0, value: Buffer.from(JSON.stringify(snapshots)).toString('base64') },
  }),
};

export async function openTrustedRpc(over: Partial<TrustedRpcState> = {}): Promise<TrustedRpc> {
  const state: TrustedRpcState = {
    network: 'move-1',
    nodeId: hashOf(String(Math.random())).slice(0, 40).toLowerCase(),
    latest: 25_000,
    earliest: 1,
    ageMs: 500,
    salt: '',
    validators: ['AA'.repeat(20)],
    snapshots: [24_000],
    ...over,
  };
  const server: Server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const { method, params } = JSON.parse(Buffer.concat(pieces).toString()) as {
        method: string;
        params: Record<string, string>;
      };
      response.setHeader('connection', 'close');
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: METHODS[method]!(state, params) }));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, state, close: () => server.close() };
}
