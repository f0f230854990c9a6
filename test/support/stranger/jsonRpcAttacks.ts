import { type Hex, toHex } from 'viem';
import { concatBytes } from '../../../node/src/primitives/index.ts';
import { developmentAccount } from '../accounts.ts';
import { offsetsToOneText } from '../determinism/hostileAbi.ts';
import { PRECOMPILE_METHODS } from '../determinism/precompileMethods.ts';
import type { Random } from '../random.ts';
import { type Answer, post } from './wire.ts';

const CHAIN_ID = 713_714;
const GAS = '0xffffffffffff';
const PRICES = { maxFeePerGas: 1_000_000_000_000n, maxPriorityFeePerGas: 2_000_000_000n };
const LEVELS = 6000;
const SINK = `0x${'ee'.repeat(20)}` as const;
const BLAKE2F = toHex(9, { size: 20 });
/** `for (;;) STATICCALL(0x0b, 256 bytes of zeros)`: additions on BLS12-381. */
const ADDITIONS: Hex = '0x5b5f5f6101005f600b5afa50600056';
/** `for (;;) {}`, which begins with a number that makes each another call. */
const loop = (random: Random): Hex => `0x63${toHex(random.below(2 ** 32), { size: 4 }).slice(2)}505b600656`;
const WITHDRAW = PRECOMPILE_METHODS.find(({ name }) => name === 'withdrawMultipleDelegationRewards')!;
const OFFSETS = Buffer.from(concatBytes(WITHDRAW.selector, offsetsToOneText(3000))).toString('hex');

const body = (method: string, ...params: unknown[]): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

/** Attacks on JSON-RPC, by an owner of two accounts with money; each is one request and its answer. */
export function jsonRpcAttacks(url: string, random: Random): Record<string, () => Promise<Answer>> {
  const ask = (method: string, ...params: unknown[]) => post(url, body(method, ...params));
  const address = (): Hex => toHex(random.below(2 ** 32), { size: 20 });
  const [payer, gapper] = [developmentAccount(5), developmentAccount(6)];

  /** Into a block, if there is room: paid for. */
  const pay = async (fields: { to?: Hex; data: Hex; gas: bigint }): Promise<Answer> => {
    const { text } = await ask('eth_getTransactionCount', payer.address, 'pending');
    const nonce = Number((JSON.parse(text) as { result?: Hex }).result ?? 0);
    const raw = await payer.signTransaction({
      type: 'eip1559',
      chainId: CHAIN_ID,
      nonce,
      ...PRICES,
      ...fields,
    });
    return await ask('eth_sendRawTransaction', raw);
  };
  const transfer = {
    type: 'eip1559',
    chainId: CHAIN_ID,
    to: SINK,
    value: 1n,
    gas: 21_000n,
    ...PRICES,
  } as const;

  return {
    'a tracer set by JSON without end': () => {
      const config = { tracer: 'callTracer', tracerConfig: 0 };
      return post(url, body('debug_traceCall', {}, 'latest', config).replace(':0}', `:${nested(LEVELS)}}`));
    },
    'a batch of JSON without end': () => post(url, `[${nested(LEVELS)}]`),
    'a batch of a thousand': () => post(url, `[${new Array(1000).fill(body('eth_blockNumber')).join()}]`),
    'a text of two megabytes': () => ask('web3_sha3', `0x${'00'.repeat(1 << 20)}`),
    'rounds of BLAKE2b without end': () => {
      const rounds = toHex(2 ** 31 + random.below(2 ** 31), { size: 4 });
      return ask('eth_call', { to: BLAKE2F, data: `${rounds}${'00'.repeat(209)}`, gas: GAS }, 'latest');
    },
    'precompiles without end': () => ask('eth_call', { data: ADDITIONS, gas: GAS }, 'latest'),
    'loops without end': () => ask('eth_call', { data: loop(random), gas: GAS }, 'latest'),
    'estimates of loops': () => ask('eth_estimateGas', { data: loop(random) }),
    'traces of every block': () => ask('debug_traceBlockByNumber', toHex(1 + random.below(20)), {}),
    'filters of a thousand addresses': () =>
      ask('eth_newFilter', { address: Array.from({ length: 1000 }, address) }),
    'logs of everything': () =>
      ask('eth_getLogs', { fromBlock: '0x0', toBlock: 'latest', address: address() }),
    'a page of another name': () =>
      post(url, body('eth_accounts'), { host: 'rebound.example', origin: 'http://rebound.example' }),
    'nonce gaps': async () => {
      const raw = await gapper.signTransaction({ ...transfer, nonce: 2 + random.below(1_000_000) });
      return await ask('eth_sendRawTransaction', raw);
    },
    'transactions of nobody': async () => {
      const nobody = developmentAccount(1000 + random.below(100));
      return await ask('eth_sendRawTransaction', await nobody.signTransaction({ ...transfer, nonce: 0 }));
    },
    'no transactions at all': () =>
      ask('eth_sendRawTransaction', toHex(Uint8Array.from({ length: 300 }, () => random.below(256)))),
    'offsets at one text, in blocks': () =>
      pay({ to: toHex(WITHDRAW.address), data: `0x${OFFSETS}`, gas: 6_000_000n }),
    'precompiles without end, in blocks': () => pay({ data: ADDITIONS, gas: 4_000_000n }),
  };
}
