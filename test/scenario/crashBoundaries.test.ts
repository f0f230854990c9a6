import { Lifecycle, silentLogger } from '@chain/platform';
import { createMetricsRegistry, type MetricsRegistry } from '@chain/platform/metrics';
import { openAdminServer } from '@chain/platform/servers';
import { Client, credentials, type ServiceError, status } from '@grpc/grpc-js';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DEFAULT_CONSENSUS_PARAMS } from '../../node/src/comet/index.ts';
import { openCometRpc } from '../../node/src/cometRpc/index.ts';
import { openGrpcServer } from '../../node/src/grpc/index.ts';
import type { QueryService } from '../../node/src/ledgerQuery/index.ts';
import { openProtoSchema } from '../../node/src/proto/index.ts';
import { openRestServer } from '../../node/src/rest/index.ts';

let opened: Lifecycle;
let metrics: MetricsRegistry;
beforeEach(() => {
  opened = new Lifecycle();
  metrics = createMetricsRegistry();
});
afterEach(() => opened.close());

/** A part of the node in which everything is a defect, but that it can be listened to. */
const planted = new Proxy(
  {},
  {
    get: (_target, name) => {
      if (typeof name === 'string' && /^on[A-Z]/.test(name)) return () => () => undefined;
      throw new RangeError(`planted: ${String(name)}`);
    },
  },
) as never;

async function crashes(boundary: string): Promise<number> {
  const found = new RegExp(`chain_crashes_total\\{boundary="${boundary}"\\} (\\d+)`).exec(
    await metrics.text(),
  );
  return Number(found?.[1] ?? 0);
}

const PATH = '/cosmos.base.tendermint.v1beta1.Service/GetSyncing';
const schema = openProtoSchema();
const THROWS = {
  'at once': () => {
    throw new RangeError('planted');
  },
  later: async () => {
    throw new RangeError('planted');
  },
};

function answering(answer: () => Promise<never>): QueryService {
  return { paths: [PATH], height: 1, onRewind: () => () => undefined, answer, answerAbci: answer };
}

it.each(Object.entries(THROWS))('what a gRPC call throws %s is its own error', async (_when, answer) => {
  const queries = answering(answer);
  const limits = {
    receiveBytes: 1024,
    sendBytes: 1024,
    connections: 5,
    streams: 5,
    calls: 5,
    callTimeoutMs: 10_000,
    idleTimeoutMs: 10_000,
  };
  const server = opened.own(
    await openGrpcServer(
      { address: '127.0.0.1', port: 0, limits },
      { queries, schema, logger: silentLogger, metrics },
    ),
  );
  const client = new Client(`127.0.0.1:${server.port}`, credentials.createInsecure());
  const bytes = (it: Buffer): Buffer => it;
  const call = (): Promise<number> =>
    new Promise((done) => {
      client.makeUnaryRequest(PATH, bytes, bytes, Buffer.alloc(0), (error: ServiceError | null) =>
        done(error?.code ?? status.OK),
      );
    });
  expect([await call(), await call()]).toEqual([status.INTERNAL, status.INTERNAL]);
  expect(await crashes('grpc')).toBe(2);
  client.close();
});

it.each(Object.entries(THROWS))('what a REST query throws %s is its own error', async (_when, answer) => {
  const queries = answering(answer);
  const server = opened.own(
    await openRestServer(
      {
        address: '127.0.0.1',
        port: 0,
        corsOrigins: [],
        vhosts: ['*'],
        swagger: false,
        release: '1',
        maxCalls: 5,
        callTimeoutMs: 10_000,
      },
      { queries, schema, logger: silentLogger, metrics },
    ),
  );
  const url = `http://127.0.0.1:${server.port}/cosmos/base/tendermint/v1beta1/syncing`;
  for (const times of [1, 2]) {
    const { status: code } = await fetch(url);
    expect([code, await crashes('rest')]).toEqual([500, times]);
  }
});

it('what a method of the consensus RPC throws is its own error, however it is called', async () => {
  const server = opened.own(
    await openCometRpc(
      {
        address: '127.0.0.1',
        port: 0,
        corsOrigins: [],
        vhosts: ['*'],
        maxConnections: 10,
        maxBatch: 5,
        maxBodyBytes: 4096,
        maxHeaderBytes: 4096,
        unsafe: false,
        subscriptions: { maxClients: 1, maxPerClient: 1 },
        methods: { broadcastCommitTimeoutMs: 10, indexing: true },
      },
      {
        chain: planted,
        history: planted,
        mempool: planted,
        consensus: planted,
        nodeInfo: planted,
        queries: planted,
        checkTransaction: planted,
        clock: planted,
        application: { name: 'chaind', release: '1' },
        genesis: {
          time: { seconds: 0n, nanos: 0 },
          chainId: 'a',
          initialHeight: 1,
          validators: [],
          consensusParams: DEFAULT_CONSENSUS_PARAMS,
          appHash: new Uint8Array(0),
          appState: {},
        },
        logger: silentLogger,
        metrics,
      },
    ),
  );
  const url = `http://127.0.0.1:${server.port}`;
  const methods = ['status', 'block', 'validators', 'unconfirmed_txs', 'abci_info'];
  for (const [i, method] of methods.entries()) {
    const byUri = await (await fetch(`${url}/${method}`)).text();
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: {} });
    const posted = await (await fetch(url, { method: 'POST', body })).text();
    for (const answer of [byUri, posted]) expect(answer).toContain('-32603');
    expect(byUri + posted).not.toContain('planted');
    expect(await crashes('cometrpc')).toBe(2 * (i + 1));
  }
});

it('what a probe or a page of the admin listener throws is its own error', async () => {
  const route = { method: 'GET' as const, path: '/page', handler: THROWS.later };
  const server = opened.own(
    await openAdminServer(
      { address: '127.0.0.1', port: 0, routes: [route] },
      { metrics, health: planted, logger: silentLogger },
    ),
  );
  for (const [i, path] of ['/livez', '/readyz', '/startupz', '/page'].entries()) {
    const answer = await fetch(`http://127.0.0.1:${server.port}${path}`);
    expect([answer.status, await answer.text()]).toEqual([500, 'internal error']);
    expect(await crashes('http')).toBe(i + 1);
  }
});
