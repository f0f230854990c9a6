import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { developmentAccount } from '../support/accounts.ts';
import { rpcCall } from '../support/rpcCall.ts';
import { until } from '../support/until.ts';
import { type ConformanceChain, startConformanceChain } from './conformanceChain.ts';

const word = (value: number | bigint): string => `0x${value.toString(16).padStart(64, '0')}`;
const code = (promise: Promise<unknown>) =>
  promise.then(String, (error: { code: number }) => String(error.code));

let chain: ConformanceChain;
let call: ConformanceChain['call'];
beforeAll(async () => {
  chain = await startConformanceChain();
  ({ call } = chain);
});
afterAll(() => chain?.close());

describe('the address precompile', () => {
  const at = '0x0000000000000000000000000000000000001004';
  const ask = (selector: string) =>
    call('eth_call', { to: at, data: selector + word(BigInt(chain.alice)).slice(2) });

  it('is reached by eth_call, under its historical selector and that of its name', async () => {
    const text = Buffer.from(((await ask('0x0c3c20ed')) as string).slice(2 + 128), 'hex').toString();
    expect(text).toMatch(/^chain1[0-9a-z]{38}/);
    expect(await ask('0xc9d39cf3')).toBe(await ask('0x0c3c20ed'));
    const bech32 = text.replaceAll('\0', '');
    const argument = Buffer.from(bech32.padEnd(64, '\0')).toString('hex');
    const data = `0x1778e539${word(32).slice(2)}${word(bech32.length).slice(2)}${argument}`;
    expect(await call('eth_call', { to: at, data })).toBe(word(BigInt(chain.alice)));
  });

  it('reverts without data for an address that is not associated', async () => {
    const data = `0x0c3c20ed${'99'.repeat(20).padStart(64, '0')}`;
    const failure = await rpcCall(chain.url, 'eth_call', [{ to: at, data }]).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: -32000, message: 'execution reverted', data: undefined });
  });

  it('knows an account from its first transaction on', async () => {
    const newcomer = privateKeyToAccount(`0x${'5a'.repeat(32)}`);
    const fields = { chainId: 713_714, gas: 21_000n, gasPrice: 50_000_000_000n, nonce: 0 };
    const value = 10n ** 17n;
    await mined(await developmentAccount(8).signTransaction({ ...fields, to: newcomer.address, value }));
    const data = `0x0c3c20ed${newcomer.address.slice(2).toLowerCase().padStart(64, '0')}`;
    expect(await code(call('eth_call', { to: at, data }))).toBe('-32000');
    await mined(await newcomer.signTransaction({ ...fields, to: chain.bob as Hex }));
    expect(await call('eth_call', { to: at, data })).toMatch(/^0x0{62}20/);
  });
});

async function mined(raw: Hex): Promise<void> {
  const hash = await call('eth_sendRawTransaction', raw);
  await until('the receipt', async () => (await call('eth_getTransactionReceipt', hash)) ?? undefined);
}
