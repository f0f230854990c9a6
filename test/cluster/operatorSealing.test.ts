import { boxKeys, openSealed, sealTo } from '@chain/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { API_VERSION, type ChainNode, NODE_KIND } from '../../operator/src/api/index.ts';
import { KINDS } from '../../operator/src/kube/index.ts';
import { CHAIN_NODE, nodeKeySecret } from '../../operator/src/resources/index.ts';
import { keptKeys, sealingKey } from '../../operator/src/task/jobs/keptKeys.ts';
import { sealingSeeds } from '../../operator/src/task/jobs/sealingSeeds.ts';
import { type ApiServer, missingApiServer, openApiServer } from '../support/apiServer.ts';
import { leftOutIf } from '../support/required.ts';

const ID = 'evmsplit-123456';
const REF = { namespace: 'default', name: 'operator-sealing' };
const FILES = { 'config/priv_validator_key.json': 'hunter2-S3cret' };

describe('a backup of keys', leftOutIf('sealed backups', missingApiServer()), () => {
  let server: ApiServer;
  let node: ChainNode;
  beforeAll(async () => {
    server = await openApiServer();
    node = (await server.client.create(CHAIN_NODE, {
      apiVersion: API_VERSION,
      kind: NODE_KIND,
      metadata: { namespace: 'default', name: 'n' },
      spec: { chain: { id: 'c' }, image: 'i', storage: { size: '1Gi' } },
    } as never)) as ChainNode;
    await server.client.create(KINDS.secret, nodeKeySecret(node) as never);
  });
  afterAll(() => server?.close());

  const deps = () => ({ client: server.client, sealing: sealingSeeds(server.client, REF) });
  const sealedTo = (key: string): string =>
    Buffer.from(sealTo(Buffer.from(key, 'base64'), Buffer.from(JSON.stringify(FILES)))).toString('base64');
  const opened = async (sealed: string, id = ID, of = node): Promise<unknown> =>
    (await keptKeys(deps(), of, { id, name: 'kept', sealed })).stringData;
  const KEPT = { 'priv_validator_key.json': 'hunter2-S3cret' };

  it('is sealed to a key that the operator makes once, in its own namespace, however many ask for it', async () => {
    const keys = await Promise.all([1, 2, 3, 4].map(() => sealingKey(deps(), node, ID)));
    expect(new Set(keys).size).toBe(1);
    expect(await opened(sealedTo(keys[0]!))).toEqual(KEPT);
  });

  it('cannot be opened by who has the key of the node, or passed off as that of another node or migration', async () => {
    const sealed = sealedTo(await sealingKey(deps(), node, ID));
    const key = await server.client.get(KINDS.secret, { namespace: 'default', name: 'n-node-key' });
    const bytes = Buffer.from(key!.data!['node_key.json']!, 'base64');
    const uid = node.metadata.uid;
    for (const purpose of [ID, `default ${uid} ${ID}`, '']) {
      expect(() => openSealed(boxKeys(bytes, purpose).privateKey, Buffer.from(sealed, 'base64'))).toThrow();
    }
    await expect(opened(sealed, 'evmsplit-654321')).rejects.toMatchObject({ code: 'SEALED_BOX' });
    const other = { ...node, metadata: { ...node.metadata, uid: 'another' } };
    await expect(opened(sealed, ID, other)).rejects.toMatchObject({ code: 'SEALED_BOX' });
  });

  it('of a Job that an earlier release has made is opened by the key of the node', async () => {
    const key = await server.client.get(KINDS.secret, { namespace: 'default', name: 'n-node-key' });
    const { publicKey } = boxKeys(Buffer.from(key!.data!['node_key.json']!, 'base64'), ID);
    expect(await opened(sealedTo(Buffer.from(publicKey).toString('base64')))).toEqual(KEPT);
  });

  it('is sealed to the newest seed once there is another, and older ones still open', async () => {
    const before = await sealingKey(deps(), node, ID);
    const seed = Buffer.alloc(32, 7).toString('base64');
    await server.client.patch(KINDS.secret, REF, { data: { 'seed-2': seed } });
    expect(await sealingKey(deps(), node, ID)).not.toBe(before);
    expect(await opened(sealedTo(before))).toEqual(KEPT);
  });

  it('is not made where the Secret has no seed, and the error names it', async () => {
    await server.client.patch(KINDS.secret, REF, { data: { 'seed-1': null, 'seed-2': 'AAAA' } });
    await expect(sealingKey(deps(), node, ID)).rejects.toThrow('"operator-sealing"');
  });
});
