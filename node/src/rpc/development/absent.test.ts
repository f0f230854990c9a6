import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRpcFixture, type RpcFixture } from '../rpc.fixture.ts';
import { DEVELOPMENT_METHODS } from './developmentTable.ts';

describe('a node that is no development home', () => {
  let rpc: RpcFixture;
  beforeAll(async () => {
    rpc = await openRpcFixture();
  });
  afterAll(() => rpc?.close());

  it.each(DEVELOPMENT_METHODS.map(({ name }) => name))('has no %s', async (name) => {
    expect((await rpc.call(name)).error).toMatchObject({
      code: -32601,
      message: `the method ${name} does not exist/is not available`,
    });
  });

  it('hosts no accounts', async () => {
    expect(await rpc.result('eth_accounts')).toEqual([]);
    expect(await rpc.result('rpc_modules')).not.toHaveProperty('evm');
  });
});
