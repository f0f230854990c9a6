import { isCodedError, silentLogger, systemClock } from '@chain/platform';
import { beforeEach, describe, expect, it } from 'vitest';
import { readNonce } from '../../node/src/evm/index.ts';
import { createGenesisState, readNextBaseFee } from '../../node/src/execution/index.ts';
import { signRaw, type TestAccount, TestChain, TOKEN } from '../../node/src/execution/testChain.fixture.ts';
import { createMempool, type Mempool, senderReads } from '../../node/src/mempool/index.ts';
import { bytesToHex, sha256 } from '../../node/src/primitives/index.ts';
import { accountOf, FLOODS, type Flood, FUNDED } from '../support/floods.ts';

const COUNT = Number(process.env.MEMPOOL_FLOOD ?? 400);
/** Small, so that a small flood fills it over and over. */
const LIMITS = {
  maxTransactions: 120,
  maxAccountTransactions: 50,
  accountSlots: 10,
  maxQueued: 24,
  maxAccountQueued: 8,
};
/** Offers of the flood for each honest transaction, and for each block. */
const [CALM, ROUND] = [10, 200];
const honest = [accountOf(100), accountOf(101)] as const;

let chain: TestChain;
let pool: Mempool;
beforeEach(async () => {
  const accounts = [...FUNDED, ...honest].map((account) => ({ ...account, balanceWei: 100n * TOKEN }));
  chain = await TestChain.start(createGenesisState({ evmChainId: 713_714n, accounts }));
  pool = createMempool(LIMITS, {
    checkTransaction: (raw) => chain.execution.checkTransaction(raw, chain.state, chain.context()),
    forgetTransaction: (hash) => chain.execution.forgetTransaction(hash),
    ...senderReads(() => chain.state),
    baseFee: () => readNextBaseFee(chain.state),
    clock: systemClock,
    logger: silentLogger,
  });
});

const nonceOf = ({ evmAddress }: TestAccount): bigint =>
  pool.pendingNonce(evmAddress, readNonce(chain.state, evmAddress));

/** A block of what the pool gives; the hashes of what it carried out. */
async function mine(): Promise<string[]> {
  const txs = pool.reap({ maxGas: 10_000_000n, maxBytes: 1 << 20 });
  const { results, stores } = await chain.block(txs);
  pool.onCommit({ block: { header: { height: chain.height }, txs } } as never, stores);
  return txs.filter((_, i) => results[i]!.code === 0).map((raw) => bytesToHex(sha256(raw)));
}

/** What the pool makes of a transaction: a code, or that it took it. */
async function outcomeOf(raw: Uint8Array): Promise<string> {
  try {
    await pool.add(raw);
    return 'taken';
  } catch (error) {
    return isCodedError(error) ? error.code : 'not coded';
  }
}

/** Sends the flood, and honest transactions among it, at a price that the flood outbids. */
async function send(flood: Flood) {
  const outcomes: Record<string, number> = {};
  const [sent, landed] = [new Set<string>(), new Set<string>()];
  const sendHonest = async (position: number): Promise<void> => {
    const from = honest[position % honest.length]!;
    const raw = signRaw(from, { to: from.evmAddress, nonce: nonceOf(from), gasLimit: 21_000n });
    expect(await outcomeOf(raw)).toBe('taken');
    sent.add(bytesToHex(sha256(raw)));
  };
  for (let position = 0; position < COUNT; position++) {
    const outcome = await outcomeOf(flood.next(position, nonceOf));
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    if (position % CALM === 0) await sendHonest(position / CALM);
    if (position % ROUND === ROUND - 1) for (const hash of await mine()) landed.add(hash);
    expect(pool.counts().pending).toBeLessThanOrEqual(LIMITS.maxTransactions);
    expect(pool.counts().queued).toBeLessThanOrEqual(LIMITS.maxQueued);
  }
  for (const hash of await mine()) landed.add(hash);
  return { outcomes, sent: sent.size, missing: [...sent].filter((hash) => !landed.has(hash)).length };
}

describe(`while ${COUNT.toLocaleString('en-US')} hostile transactions come, every honest one lands`, () => {
  it.each(FLOODS)('$name', { timeout: 3_600_000 }, async (flood) => {
    const { outcomes, sent, missing } = await send(flood);
    process.stderr.write(`${flood.name}: ${JSON.stringify(outcomes)}, ${sent} honest ones
`);
    expect(missing).toBe(0);
    expect(flood.outcomes).toEqual(expect.arrayContaining(Object.keys(outcomes)));
  });
});
