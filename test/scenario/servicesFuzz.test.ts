import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, credentials, type ServiceError, status } from '@grpc/grpc-js';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMET_METHODS } from '../../node/src/cometRpc/index.ts';
import { QUERY_PATHS } from '../../node/src/ledgerQuery/index.ts';
import { openProtoSchema } from '../../node/src/proto/index.ts';
import { METHODS } from '../../node/src/rpc/index.ts';
import { type DevNode, startDevNode } from '../support/devNode.ts';
import { rpcCall } from '../support/rpcCall.ts';

const FUZZ_RUNS = Number(process.env.FUZZ_RUNS ?? 40);
/** They wait for blocks, or change what others of this test see. */
const NOT_HERE = /^(subscribe|unsubscribe|broadcast_tx_commit)|^(evm_|anvil_|hardhat_|debug_|eth_send)/;

let root: string;
let node: DevNode;
let grpc: Client;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'services-fuzz-'));
  node = await startDevNode({ home: join(root, 'home'), blockTimeMs: 400 });
  grpc = new Client(node.grpcAddress, credentials.createInsecure());
});
afterAll(async () => {
  grpc?.close();
  await node?.kill9();
  rmSync(root, { recursive: true, force: true });
});

/** Several inputs a turn, for most of the time is on the wire. */
async function fuzz<T>(inputs: fc.Arbitrary<T>, check: (input: T) => Promise<void>): Promise<void> {
  const width = 8;
  const many = fc.array(inputs, { minLength: width, maxLength: width });
  await fc.assert(
    fc.asyncProperty(many, async (all) => void (await Promise.all(all.map(check)))),
    { numRuns: Math.ceil(FUZZ_RUNS / width) },
  );
  // What nobody foresaw is logged as an error, and answered as an internal one.
  expect(node.output()).not.toMatch(/a defect has ended|ERROR/);
  expect(await rpcCall(node.url, 'eth_blockNumber')).toMatch(/^0x/);
}

const number = fc.oneof(
  fc.constantFrom('0', '-1', '1', '99999999999999999999', '1e9', '0x10', '9223372036854775807', 'latest', ''),
  fc.bigInt({ min: -(2n ** 65n), max: 2n ** 65n }).map(String),
);
const text = fc.oneof(
  number,
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(
    'chain1',
    `chain1${'q'.repeat(38)}`,
    'usei',
    '%00',
    '../..',
    '__proto__',
    "tx.height>0 AND a.b='",
    'x'.repeat(5000),
  ),
);

async function call(path: string, request: Uint8Array): Promise<ServiceError | undefined> {
  const asIs = (given: Buffer): Buffer => given;
  return new Promise((answered) => {
    const done = (error: ServiceError | null): void => answered(error ?? undefined);
    grpc.makeUnaryRequest(path, asIs, asIs, Buffer.from(request), { deadline: Date.now() + 60_000 }, done);
  });
}

describe('whatever they are sent', { timeout: 7_200_000 }, () => {
  it('gRPC methods answer, or say what is wrong with a status of their own', async () => {
    const request = fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      // A text, or a number, in each of the first fields.
      fc.array(fc.tuple(fc.integer({ min: 1, max: 6 }), text)).map((fields) =>
        Buffer.concat(
          fields.map(([field, value]) => {
            const bytes = Buffer.from(value).subarray(0, 127);
            return Buffer.concat([Buffer.of((field << 3) | 2, bytes.length), bytes]);
          }),
        ),
      ),
    );
    await fuzz(fc.tuple(fc.constantFrom(...QUERY_PATHS), request), async ([path, bytes]) => {
      const error = await call(path, bytes);
      expect([status.INTERNAL, status.DEADLINE_EXCEEDED], `${path} ${error?.details}`).not.toContain(
        error?.code,
      );
    });
  });

  it("REST paths answer with the gateway's JSON, and never with 500", async () => {
    const templates = openProtoSchema().methods.flatMap(({ http }) =>
      http.filter(({ verb }) => verb === 'GET'),
    );
    const names = [
      'pagination.limit',
      'pagination.key',
      'pagination.offset',
      'pagination.reverse',
      'height',
      'query',
      'events',
      'denom',
      'status',
      'page',
      'limit',
      'x',
    ];
    const parameter = fc.tuple(fc.constantFrom(...names), text);
    const parts = fc.tuple(
      fc.constantFrom(...templates),
      fc.array(text, { minLength: 4, maxLength: 4 }),
      fc.array(parameter, { maxLength: 3 }),
    );
    await fuzz(parts, async ([{ template }, values, parameters]) => {
      let next = 0;
      const path = template.replaceAll(/\{[^}]+\}/g, () =>
        encodeURIComponent(values[next++ % 4]!.toWellFormed()),
      );
      const query = new URLSearchParams(
        Object.fromEntries(parameters.map(([name, value]) => [name, value.toWellFormed()])),
      );
      const response = await fetch(`${node.restUrl}${path}?${query}`);
      const body = await response.text();
      expect(response.status, `${path}?${query}: ${body}`).not.toBe(500);
      expect(JSON.parse(body)).toEqual(expect.any(Object));
    });
  });

  it('the consensus RPC answers calls by URI and by JSON with a result or an error of its own', async () => {
    const methods = COMET_METHODS.filter(({ name }) => !NOT_HERE.test(name));
    const given = fc.tuple(fc.constantFrom(...methods), text, fc.jsonValue({ maxDepth: 4 }), fc.boolean());
    await fuzz(given, async ([{ name, params }, uri, json, quoted]) => {
      const names = Object.keys(params);
      const value = quoted ? JSON.stringify(uri.toWellFormed()) : uri.toWellFormed();
      const query = new URLSearchParams(Object.fromEntries(names.map((it) => [it, value])));
      const byName = Object.fromEntries(names.map((it) => [it, json]));
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: name, params: quoted ? byName : json });
      const answers = [
        await fetch(`${node.consensusUrl}/${name}?${query}`),
        await fetch(node.consensusUrl, { method: 'POST', body }),
      ];
      for (const response of answers) {
        const shown = await response.text();
        const answer = JSON.parse(shown) as { result?: unknown; error?: { data?: string } };
        expect('result' in answer || 'error' in answer, shown).toBe(true);
        expect(answer.error?.data, `${name} ${uri} ${body}`).not.toBe('internal error');
      }
    });
  });

  it('JSON-RPC methods answer with a result or an error that is not internal', async () => {
    const names = METHODS.map(({ name }) => name).filter((name) => !NOT_HERE.test(name));
    const param = fc.oneof(
      text,
      fc.jsonValue({ maxDepth: 4 }),
      fc.constantFrom('latest', '0x0', '0x1', {}, [], null, true),
    );
    await fuzz(
      fc.tuple(fc.constantFrom(...names), fc.array(param, { maxLength: 4 })),
      async ([method, params]) => {
        const headers = { 'content-type': 'application/json' };
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
        const answer = (await (await fetch(node.url, { method: 'POST', headers, body })).json()) as {
          error?: { code: number; message: string };
        };
        expect(answer.error?.code, `${body}: ${answer.error?.message}`).not.toBe(-32603);
      },
    );
  });

  it.each(['consensusUrl', 'restUrl', 'url'] as const)(
    '%s survives JSON of great depth, and bodies that never end well',
    async (service) => {
      const deep = '['.repeat(200_000);
      const nested = `{"jsonrpc":"2.0","id":1,"method":"status","params":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
      const path = service === 'restUrl' ? '/cosmos/tx/v1beta1/simulate' : '';
      const headers = { 'content-type': 'application/json' };
      for (const body of [deep, nested, '', 'null', '{"tx":'.repeat(9000), '\u0000']) {
        const response = await fetch(`${node[service]}${path}`, { method: 'POST', headers, body });
        await response.text();
      }
      expect(await rpcCall(node.url, 'eth_blockNumber')).toMatch(/^0x/);
    },
  );

  it('a page of more than all there is stays a page', async () => {
    const limit = '18446744073709551615';
    for (const query of [
      `pagination.limit=${limit}`,
      `pagination.offset=${limit}`,
      `pagination.limit=${limit}&pagination.offset=${limit}&pagination.count_total=true`,
    ]) {
      const response = await fetch(`${node.restUrl}/cosmos/auth/v1beta1/accounts?${query}`);
      expect([response.status, Object.keys((await response.json()) as object)]).toEqual([
        200,
        ['accounts', 'pagination'],
      ]);
    }
    const pages = await fetch(
      `${node.restUrl}/cosmos/tx/v1beta1/txs?query=tx.height>0&page=${limit}&limit=${limit}`,
    );
    expect(pages.status).toBe(400);
    await pages.text();
  });
});
