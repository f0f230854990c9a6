import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createWalletClient, type Hex, http, publicActions } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { developmentAccount } from '../support/accounts.ts';
import { cometCall } from '../support/cometCall.ts';
import { type DevNode, startDevNode } from '../support/devNode.ts';
import { rpcCall } from '../support/rpcCall.ts';

const run = promisify(execFile);

const BUF = 'node_modules/@bufbuild/buf-linux-x64/bin/buf';

type Json = Record<string, unknown>;

let home: string;
let node: DevNode;
/** The ledger transaction of an EVM transfer, as `chain_getLedgerTx` shows it. */
let sent: { hash: string; height: string; tx: string };

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'query-services-'));
  node = await startDevNode({ home, blockTimeMs: 100 });
  sent = await sendTransfer();
}, 120_000);

afterAll(async () => {
  await node?.stop();
  rmSync(home, { recursive: true, force: true });
});

async function sendTransfer(): Promise<typeof sent> {
  const id = Number(await rpcCall<Hex>(node.url, 'eth_chainId'));
  const chain = {
    id,
    name: 'development',
    nativeCurrency: { name: 'token', symbol: 'TOK', decimals: 18 },
    rpcUrls: { default: { http: [node.url] } },
  };
  const client = createWalletClient({ account: developmentAccount(0), chain, transport: http() }).extend(
    publicActions,
  );
  const hash = await client.sendTransaction({ to: developmentAccount(1).address, value: 10n ** 15n });
  await client.waitForTransactionReceipt({ hash, pollingInterval: 50 });
  return rpcCall(node.url, 'chain_getLedgerTx', [hash]);
}

async function rest(path: string, headers: Record<string, string> = {}, body?: Json) {
  const response = await fetch(`${node.restUrl}${path}`, {
    headers,
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, json: (await response.json()) as Json };
}

/** A stock gRPC client, which knows the services by reflection only. */
async function grpc(method: string, request: Json = {}, headers: Record<string, string> = {}): Promise<Json> {
  const metadata = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const flags = ['--protocol', 'grpc', '--http2-prior-knowledge', '-d', JSON.stringify(request), ...metadata];
  const url = `http://${node.grpcAddress}/${method}`;
  return run(BUF, ['curl', ...flags, url]).then(
    ({ stdout }) => JSON.parse(stdout) as Json,
    ({ stderr }) => JSON.parse(String(stderr)) as Json,
  );
}

async function chainAddress(index: number): Promise<string> {
  return rpcCall(node.url, 'chain_getChainAddress', [developmentAccount(index).address]);
}

describe('gRPC, by a client that learns the services by reflection', () => {
  it('lists the services, and each answers that it serves', async () => {
    const flags = ['--protocol', 'grpc', '--http2-prior-knowledge', '--list-services'];
    const { stdout } = await run(BUF, ['curl', ...flags, `http://${node.grpcAddress}`]);
    const services = stdout.trim().split('\n');
    expect(services).toEqual(
      expect.arrayContaining([
        'chain.evm.v1.Query',
        'cosmos.auth.v1beta1.Query',
        'cosmos.bank.v1beta1.Query',
        'cosmos.base.node.v1beta1.Service',
        'cosmos.base.tendermint.v1beta1.Service',
        'cosmos.distribution.v1beta1.Query',
        'cosmos.slashing.v1beta1.Query',
        'cosmos.staking.v1beta1.Query',
        'cosmos.tx.v1beta1.Service',
        'grpc.health.v1.Health',
      ]),
    );
    expect(await grpc('grpc.health.v1.Health/Check', { service: 'cosmos.bank.v1beta1.Query' })).toEqual({
      status: 'SERVING',
    });
  });

  it('answers as REST does, at the same height', async () => {
    const address = await chainAddress(0);
    const headers = { 'x-cosmos-block-height': sent.height };
    const overGrpc = await grpc('cosmos.bank.v1beta1.Query/Balance', { address, denom: 'usei' }, headers);
    const overRest = await rest(`/cosmos/bank/v1beta1/balances/${address}/by_denom?denom=usei`, headers);
    expect(overRest.json).toEqual(overGrpc);
    expect(overRest.headers.get('grpc-metadata-x-cosmos-block-height')).toBe(sent.height);
    const before = await grpc(
      'cosmos.bank.v1beta1.Query/Balance',
      { address, denom: 'usei' },
      { 'x-cosmos-block-height': String(Number(sent.height) - 1) },
    );
    const amount = (answer: Json) => BigInt((answer.balance as { amount: string }).amount);
    expect(amount(before)).toBeGreaterThan(amount(overGrpc));
  });

  it('refuses bad heights, unknown methods and broken page requests with the right status', async () => {
    const supply = 'cosmos.bank.v1beta1.Query/TotalSupply';
    for (const height of ['-1', 'x', '999999999']) {
      expect(await grpc(supply, {}, { 'x-cosmos-block-height': height })).toMatchObject({
        code: 'invalid_argument',
      });
    }
    expect(await grpc(supply, { pagination: { key: 'AAE=', offset: '1' } })).toMatchObject({
      code: 'invalid_argument',
      message: 'invalid request, either offset or key is expected, got both',
    });
    expect(await grpc('cosmos.auth.v1beta1.Query/Account', { address: 'chain1x' })).toMatchObject({
      code: 'invalid_argument',
    });
    expect(await grpc('cosmos.bank.v1beta1.Query/DenomMetadata', { denom: 'uother' })).toMatchObject({
      code: 'not_found',
    });
  });

  it('says what the node is set to, and answers ABCI queries of stores with proofs', async () => {
    expect(await grpc('cosmos.base.node.v1beta1.Service/Config')).toMatchObject({
      minimumGasPrice: '0.01usei',
      pruningKeepRecent: '100000',
      pruningInterval: '600',
    });
    const abci = 'cosmos.base.tendermint.v1beta1.Service/ABCIQuery';
    const height = String(Number(sent.height) - 1);
    const proven = await grpc(abci, { path: '/store/evm/key', data: 'AQ==', height, prove: true });
    expect(proven).toMatchObject({
      height,
      proofOps: { ops: [{ type: 'ics23:iavl' }, { type: 'ics23:simple' }] },
    });
    const { json } = await rest(`/cosmos/base/tendermint/v1beta1/abci_query?path=/app/version`);
    expect(Buffer.from(String(json.value), 'base64').toString()).toMatch(/^\d+\.\d+\.\d+$/);
    expect(await grpc(abci, { path: '/store/nothing/key', data: 'AQ==' })).toMatchObject({
      code: 6,
      codespace: 'sdk',
    });
    expect(await grpc(abci, { path: '/cosmos.bank.v1beta1.Query/TotalSupply' })).toMatchObject({
      code: 'invalid_argument',
    });
  });

  it('finds transactions by their events, and refuses what it cannot read', async () => {
    const search = 'cosmos.tx.v1beta1.Service/GetTxsEvent';
    const query = `evm_transaction.nonce=0 AND tx.height=${sent.height}`;
    expect(await grpc(search, { query })).toMatchObject({ total: '1', txResponses: [{ txhash: sent.hash }] });
    expect(await grpc(search, { query, page: 9 })).toMatchObject({ code: 'invalid_argument' });
    expect(await grpc(search, { query: 'message.action =' })).toMatchObject({ code: 'invalid_argument' });
    expect(await grpc(search, { query: `a.b='${'x'.repeat(600)}'` })).toMatchObject({
      message: 'maximum query length exceeded: 606 of 512 characters',
    });
  });

  it('finds the transaction of a block, and takes one that it has already with a code', async () => {
    expect(await grpc('cosmos.tx.v1beta1.Service/GetTx', { hash: sent.hash })).toMatchObject({
      txResponse: { height: sent.height, txhash: sent.hash },
    });
    const again = await grpc('cosmos.tx.v1beta1.Service/BroadcastTx', {
      txBytes: sent.tx,
      mode: 'BROADCAST_MODE_SYNC',
    });
    const { txResponse } = again as { txResponse: { code: number; txhash: string; rawLog: string } };
    expect(txResponse.txhash).toBe(sent.hash);
    expect(txResponse.code).toBeGreaterThan(0);
    expect(txResponse.rawLog).toMatch(/nonce|sequence/);
  });
});

describe('REST', () => {
  it('says of the node what the consensus RPC says', async () => {
    const { node_info } = await cometCall<{ node_info: Json }>(node.consensusUrl, 'status');
    const { id, channels, ...same } = node_info;
    const { json } = await rest('/cosmos/base/tendermint/v1beta1/node_info');
    expect(json.default_node_info).toEqual({
      ...same,
      default_node_id: id,
      channels: Buffer.from(String(channels), 'hex').toString('base64'),
    });
    expect((await rest('/cosmos/base/tendermint/v1beta1/syncing')).json).toEqual({ syncing: false });
  });

  it('lists validators by pages', async () => {
    const { status, json } = await rest('/cosmos/staking/v1beta1/validators?pagination.limit=5');
    expect(status).toBe(200);
    expect(json).toEqual({ validators: expect.any(Array), pagination: expect.any(Object) });
    expect((json.validators as unknown[]).length).toBeLessThanOrEqual(5);
  });

  it('pages through the accounts by key and by offset, both ways, to the same list', async () => {
    const pages = async (step: number, reverse: boolean, byKey: boolean) => {
      const seen: unknown[] = [];
      let key: string | null = null;
      do {
        const from: string =
          byKey && key ? `pagination.key=${encodeURIComponent(key)}` : `pagination.offset=${seen.length}`;
        const path = `/cosmos/auth/v1beta1/accounts?pagination.limit=${step}&pagination.reverse=${reverse}&${from}`;
        const { json } = await rest(path, { 'x-cosmos-block-height': sent.height });
        seen.push(...(json.accounts as unknown[]));
        key = (json.pagination as { next_key: string | null }).next_key;
      } while (key !== null);
      return seen;
    };
    const all = await pages(100, false, true);
    expect(all.length).toBeGreaterThan(10);
    expect(await pages(3, false, true)).toEqual(all);
    expect(await pages(4, false, false)).toEqual(all);
    expect(await pages(3, true, true)).toEqual(all.toReversed());
    expect(await pages(4, true, false)).toEqual(all.toReversed());
  });

  it('shows accounts, blocks and transactions in the shapes of the SDK', async () => {
    const address = await chainAddress(1);
    expect((await rest(`/cosmos/auth/v1beta1/accounts/${address}`)).json).toEqual({
      account: {
        '@type': '/cosmos.auth.v1beta1.BaseAccount',
        address,
        pub_key: { '@type': '/cosmos.crypto.secp256k1.PubKey', key: expect.any(String) },
        account_number: expect.stringMatching(/^\d+$/),
        sequence: '0',
      },
    });
    const block = (await rest(`/cosmos/base/tendermint/v1beta1/blocks/${sent.height}`)).json;
    expect(block).toMatchObject({
      block: { header: { height: sent.height, chain_id: 'chain-local-1' }, data: { txs: [sent.tx] } },
      sdk_block: { header: { proposer_address: expect.stringMatching(/^chainvalcons1/) } },
    });
    const { json } = await rest(`/cosmos/tx/v1beta1/txs/${sent.hash}`);
    expect(json).toMatchObject({
      tx: { body: { messages: [{ '@type': '/chain.evm.v1.MsgEVMTransaction' }] } },
      tx_response: { txhash: sent.hash, code: 0, tx: { '@type': '/cosmos.tx.v1beta1.Tx' } },
    });
    const search = `/cosmos/tx/v1beta1/txs?query=${encodeURIComponent(`tx.height=${sent.height}`)}`;
    expect((await rest(search)).json).toMatchObject({ total: '1', tx_responses: [{ txhash: sent.hash }] });
  });

  it("answers errors with the gateway's body and status", async () => {
    const body = (code: number) => ({ code, message: expect.any(String), details: [] });
    const cases: [path: string, status: number, code: number][] = [
      ['/no/such/path', 501, 12],
      ['/cosmos/bank/v1beta1/supply?pagination.limit=x', 400, 3],
      ['/cosmos/base/tendermint/v1beta1/blocks/999999999', 400, 3],
      ['/cosmos/base/tendermint/v1beta1/blocks/abc', 400, 3],
      [`/cosmos/tx/v1beta1/txs/${'0'.repeat(64)}`, 404, 5],
      ['/cosmos/tx/v1beta1/txs', 400, 3],
      ["/cosmos/tx/v1beta1/txs?query=tx.height='", 400, 3],
      ['/cosmos/bank/v1beta1/balances/0x00', 400, 3],
    ];
    for (const [path, status, code] of cases) {
      expect(await rest(path), path).toMatchObject({ status, json: body(code) });
    }
    expect(await rest('/cosmos/tx/v1beta1/txs', {}, { tx_bytes: '!' })).toMatchObject({
      status: 400,
      json: body(3),
    });
  });

  it('lets pages of other origins read, and documents itself', async () => {
    const preflight = await fetch(`${node.restUrl}/cosmos/bank/v1beta1/supply`, {
      method: 'OPTIONS',
      headers: { origin: 'https://wallet.example', 'access-control-request-method': 'GET' },
    });
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    const page = await fetch(`${node.restUrl}/swagger/`);
    expect(page.headers.get('content-type')).toMatch('text/html');
    const { json } = await rest('/swagger/openapi.json');
    const reference = JSON.parse(readFileSync('docs/reference/openapi.json', 'utf8')) as Json;
    expect({ ...json, info: reference.info }).toEqual(reference);
    const paths = json.paths as Record<string, Json>;
    expect(Object.keys(paths).length).toBeGreaterThan(50);
    expect(paths['/cosmos/staking/v1beta1/validators']).toMatchObject({
      get: { parameters: expect.arrayContaining([expect.objectContaining({ name: 'pagination.limit' })]) },
    });
  });
});
