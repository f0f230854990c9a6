import { silentLogger } from '@chain/platform';
import type { CheckedTransaction } from '../../node/src/execution/index.ts';
import { createMempool, type Mempool } from '../../node/src/mempool/index.ts';
import { concatBytes, sha256, uint64ToBytes } from '../../node/src/primitives/index.ts';
import type { BlockRecord } from '../../node/src/types/index.ts';
import type { Report } from './bench.ts';

const POOL = 5000;
const ARRIVALS = 2000;
const COMMITS = 50;

/** What the pool itself costs an arrival when it is full: CheckTx is left out. */
export async function run(report: Report): Promise<void> {
  for (const senders of [POOL, 50, 5]) {
    const of = `${POOL} transactions of ${senders} senders`;
    for (const [what, tip] of [
      ['dearer', 200],
      ['cheaper', 1],
    ] as const) {
      const pool = filled(senders);
      report({ name: `a ${what} arrival, full pool: ${of}`, value: arrivals(pool, tip), unit: 'µs' });
    }
    report({ name: `after a block: ${of}`, value: commits(filled(senders)), unit: 'µs' });
  }
}

/** `sender, nonce, tip` stand in the first bytes. */
const rawOf = (sender: number, nonce: number, tip: number): Uint8Array =>
  concatBytes(...[sender, nonce, tip].map((value) => uint64ToBytes(BigInt(value))), new Uint8Array(150));

function checked(raw: Uint8Array): CheckedTransaction {
  const view = Buffer.from(raw);
  const [sender, nonce, tipCap] = [view.subarray(0, 8), view.readBigUInt64BE(8), view.readBigUInt64BE(16)];
  const [address, hash] = [concatBytes(new Uint8Array(12), sender), sha256(raw)];
  return {
    raw,
    ledgerHash: hash,
    evm: { hash, sender: address, nonce, transaction: { value: 0n } },
    sender: address,
    nonce,
    payer: { chainAddress: address, evmAddress: address },
    stateNonce: 0n,
    cost: 1n,
    gasLimit: 21_000n,
    feeCap: 10n ** 10n,
    tipCap,
  } as unknown as CheckedTransaction;
}

function filled(senders: number): Mempool {
  const pool = createMempool(
    {},
    {
      checkTransaction: checked,
      forgetTransaction: () => undefined,
      nonceOf: () => 0n,
      fundsOf: () => 10n ** 30n,
      baseFee: () => 1000n,
      clock: { now: () => 0 },
      logger: silentLogger,
    },
  );
  for (let i = 0; i < POOL; i++) pool.admitNow(rawOf(i % senders, Math.floor(i / senders), 100));
  return pool;
}

/** CPU time in microseconds: what else runs on the machine does not count. */
function spent(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return user + system;
}

/** Microseconds each. */
function arrivals(pool: Mempool, tip: number): number {
  const raws = Array.from({ length: ARRIVALS }, (_, i) => rawOf(POOL + i, 0, tip));
  const started = process.cpuUsage();
  for (const raw of raws) {
    try {
      pool.admitNow(raw);
    } catch {
      // Refused, as a cheaper one is.
    }
  }
  return spent(started) / ARRIVALS;
}

/** Microseconds for a block that wrote a hundred accounts of others. */
function commits(pool: Mempool): number {
  const row = (i: number) => ({
    key: concatBytes(Uint8Array.of(0x0a), new Uint8Array(12), uint64ToBytes(BigInt(9e6 + i))),
    value: null,
  });
  const stores = [{ store: 'evm', changes: Array.from({ length: 100 }, (_, i) => row(i)) }];
  const started = process.cpuUsage();
  for (let height = 1; height <= COMMITS; height++) {
    pool.onCommit({ block: { header: { height }, txs: [] } } as unknown as BlockRecord, stores);
  }
  return spent(started) / COMMITS;
}
