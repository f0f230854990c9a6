import { describe, expect, it } from 'vitest';
import { createAddress, type EvmEngineKind } from '../../evm/index.ts';
import { concatBytes, hexToBytes, toHexData } from '../../primitives/index.ts';
import { openRpcFixture, type RpcFixture } from '../rpc.fixture.ts';
import { ACCOUNTS, sign } from '../testTransactions.fixture.ts';

/** Rules change with these blocks. */
const CANCUN = 4;
const OSAKA = 6;
const FORKS = { shanghai: '0', cancun: String(CANCUN), prague: String(OSAKA), osaka: String(OSAKA) };
const PUSH_ZERO = '5f5500';
/** Each leaves a word, stores it and stops: MCOPY, TLOAD, BLOBBASEFEE from Cancun on, CLZ from Osaka on. */
const PROGRAMS = [
  { name: 'MCOPY', first: CANCUN, code: `60205f5f5e5f51${PUSH_ZERO}` },
  { name: 'TLOAD', first: CANCUN, code: `5f5c${PUSH_ZERO}` },
  { name: 'BLOBBASEFEE', first: CANCUN, code: `4a${PUSH_ZERO}` },
  { name: 'CLZ', first: OSAKA, code: `60011e${PUSH_ZERO}` },
];
const CONTRACTS = PROGRAMS.map((_program, i) => toHexData(createAddress(ACCOUNTS[0]!, BigInt(i))));
const DATA_BYTES = 1_000;
const DATA = `0x${'ff'.repeat(DATA_BYTES)}`;
const at = (height: number): string => `0x${height.toString(16)}`;

function deployer(code: string): Uint8Array {
  const length = (code.length / 2).toString(16).padStart(2, '0');
  return concatBytes(hexToBytes(`60${length}600a5f3960${length}5ff3`), hexToBytes(code));
}

/** Blocks 1 to 6: contracts in the first, then one call of each in every block, as transactions. */
async function grow(rpc: RpcFixture): Promise<Map<number, string[]>> {
  const hashes = new Map<number, string[]>();
  let nonce = 0n;
  await rpc.block(...PROGRAMS.map(({ code }) => sign(0, { data: deployer(code), nonce: nonce++ })));
  for (let height = 2; height <= OSAKA; height++) {
    const calls = CONTRACTS.map((to) => sign(0, { to: hexToBytes(to.slice(2)), nonce: nonce++ }));
    const { receipts } = await rpc.block(...calls);
    hashes.set(
      height,
      receipts.map(({ transactionHash }) => toHexData(transactionHash)),
    );
  }
  return hashes;
}

describe.each<EvmEngineKind>(['wasm', 'reference'])('forks at heights on the engine %s', (engine) => {
  it('change the rules of blocks, calls at old heights, estimates and traces with their block', async () => {
    const rpc = await openRpcFixture({ engine, genesis: { forks: FORKS } });
    try {
      const hashes = await grow(rpc);
      for (const [i, { name, first }] of PROGRAMS.entries()) {
        for (let height = 2; height <= OSAKA; height++) {
          const isThere = height >= first;
          const place = `${name} at ${height}`;
          const call = { from: toHexData(ACCOUNTS[1]!), to: CONTRACTS[i] };
          const hash = hashes.get(height)![i];
          const receipt = (await rpc.result('eth_getTransactionReceipt', hash)) as { status: string };
          expect(receipt.status, place).toBe(isThere ? '0x1' : '0x0');
          for (const method of ['eth_call', 'eth_estimateGas']) {
            const { error } = await rpc.call(method, call, at(height));
            expect(error?.message, `${method}: ${place}`).toEqual(
              isThere ? undefined : `invalid opcode: ${name}`,
            );
          }
          const steps = (await rpc.result('debug_traceTransaction', hash)) as { failed: boolean };
          expect(steps.failed, place).toBe(!isThere);
          const frame = await rpc.result('debug_traceTransaction', hash, { tracer: 'callTracer' });
          expect((frame as { error?: string }).error).toBe(isThere ? undefined : `invalid opcode: ${name}`);
          const again = await rpc.result('debug_traceCall', call, at(height), { tracer: 'callTracer' });
          expect((again as { error?: string }).error).toBe((frame as { error?: string }).error);
        }
      }
      // EIP-7623: the floor of the data's price comes with Prague.
      const dear = { from: toHexData(ACCOUNTS[1]!), to: toHexData(ACCOUNTS[2]!), data: DATA };
      const priced = async (height: number) => Number(await rpc.result('eth_estimateGas', dear, at(height)));
      expect(await priced(OSAKA - 1)).toBeLessThan(21_000 + 20 * DATA_BYTES);
      expect(await priced(OSAKA)).toBeGreaterThanOrEqual(21_000 + 40 * DATA_BYTES);
    } finally {
      await rpc.close();
    }
  });

  it('are announced by eth_config, and hold for pending before they do for latest', async () => {
    const rpc = await openRpcFixture({ engine, genesis: { forks: FORKS } });
    interface Rules {
      readonly activationBlock?: number;
      readonly activationTime: number | null;
      readonly forkId: string;
      readonly precompiles: Record<string, string>;
    }
    const config = () =>
      rpc.result('eth_config') as Promise<Record<'current' | 'next' | 'last', Rules | null>>;
    try {
      await rpc.block(...PROGRAMS.map(({ code }, i) => sign(0, { data: deployer(code), nonce: BigInt(i) })));
      const begun = await config();
      expect(begun.next).toMatchObject({ activationTime: null, activationBlock: CANCUN });
      expect(begun.last).toMatchObject({ activationTime: null, activationBlock: OSAKA });
      expect(begun.current!.precompiles).not.toHaveProperty('KZG_POINT_EVALUATION');
      expect(begun.next!.precompiles).toHaveProperty('KZG_POINT_EVALUATION');
      expect(begun.last!.precompiles).toHaveProperty('P256VERIFY');
      expect(new Set([begun.current, begun.next, begun.last].map((rules) => rules!.forkId)).size).toBe(3);
      while (rpc.chain.height < CANCUN - 1) await rpc.block();
      const call = { to: CONTRACTS[0] };
      expect((await rpc.call('eth_call', call, 'latest')).error?.message).toBe('invalid opcode: MCOPY');
      expect((await rpc.call('eth_call', call, 'pending')).error).toBeUndefined();
      await rpc.block();
      expect((await rpc.call('eth_call', call, 'latest')).error).toBeUndefined();
      const changed = await config();
      expect(changed.current).toMatchObject({
        forkId: begun.next!.forkId,
        precompiles: begun.next!.precompiles,
      });
      expect(changed.next).toEqual(begun.last);
      while (rpc.chain.height < OSAKA) await rpc.block();
      expect(await config()).toMatchObject({
        current: { forkId: begun.last!.forkId },
        next: null,
        last: null,
      });
    } finally {
      await rpc.close();
    }
  });
});
