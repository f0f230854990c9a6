import { silentLogger } from '@chain/platform';
import type { CheckedTransaction } from '../execution/index.ts';
import { concatBytes, sha256, uint64ToBytes } from '../primitives/index.ts';
import type { BlockRecord } from '../types/index.ts';
import type { AddOptions } from './admission.ts';
import type { MempoolLimits } from './limits.ts';
import { createMempool, type Mempool } from './mempool.ts';

/** A transaction is written as `vm,sender,nonce,feeCap,tipCap,gas,value,padding`; CheckTx here only parses it. */
export interface Plan {
  readonly sender: number;
  readonly nonce: number;
  readonly vm?: 'evm' | 'ledger';
  readonly feeCap?: number;
  readonly tipCap?: number;
  readonly gas?: number;
  readonly value?: number;
  readonly padding?: number;
}

export function rawOf(plan: Plan): Uint8Array {
  const { vm = 'evm', sender, nonce, feeCap = 10, tipCap = 1, gas = 21_000, value = 0, padding = 0 } = plan;
  return Buffer.from([vm, sender, nonce, feeCap, tipCap, gas, value, 'x'.repeat(padding)].join());
}

export const addressOf = (sender: number): Uint8Array =>
  concatBytes(new Uint8Array(12), uint64ToBytes(BigInt(sender)));
const senderOf = (address: Uint8Array): number => Number(Buffer.from(address).readBigUInt64BE(12));

/** `sender/nonce` of each. */
export const names = (txs: readonly Uint8Array[]): string[] =>
  txs.map((raw) => Buffer.from(raw).toString().split(',').slice(1, 3).join('/'));

export const ALL = { maxGas: -1n, maxBytes: -1 };
const RICH = 10n ** 30n;

/** A pool over accounts that a test moves by hand; an account's EVM nonce and ledger sequence count apart. */
export class PoolFixture {
  readonly nonces = new Map<string, bigint>();
  readonly balances = new Map<number, bigint>();
  readonly forgotten: Uint8Array[] = [];
  checks = 0;
  /** Of nonces and of funds, beside those of CheckTx. */
  reads = 0;
  baseFee = 0n;
  now = 0;
  height = 0;
  /** What a transaction waits for before it is checked. */
  ahead: ((raw: Uint8Array) => Promise<void> | undefined) | undefined;
  readonly pool: Mempool;

  constructor(limits: Partial<MempoolLimits> = {}) {
    this.pool = createMempool(limits, {
      checkTransaction: (raw) => this.check(raw),
      lookAhead: (raw) => this.ahead?.(raw),
      forgetTransaction: (hash) => void this.forgotten.push(hash),
      nonceOf: ({ isEvm, sender }) => {
        this.reads++;
        return this.nonce(senderOf(sender), isEvm ? 'evm' : 'ledger');
      },
      fundsOf: ({ chainAddress }) => {
        this.reads++;
        return this.balance(senderOf(chainAddress));
      },
      baseFee: () => this.baseFee,
      clock: { now: () => this.now },
      logger: silentLogger,
    });
  }

  nonce(sender: number, vm: 'evm' | 'ledger' = 'evm'): bigint {
    return this.nonces.get(`${vm}/${sender}`) ?? 0n;
  }

  balance(sender: number): bigint {
    return this.balances.get(sender) ?? RICH;
  }

  check(raw: Uint8Array): CheckedTransaction {
    this.checks++;
    const [vm, ...numbers] = Buffer.from(raw).toString().split(',');
    const [sender = 0, nonce = 0, feeCap = 0, tipCap = 0, gas = 0, value = 0] = numbers.map(Number);
    const isEvm = vm === 'evm';
    const cost = BigInt(gas * feeCap + value);
    if (cost > this.balance(sender)) throw new RangeError('the sender cannot pay');
    const stateNonce = this.nonce(sender, isEvm ? 'evm' : 'ledger');
    if (BigInt(nonce) < stateNonce) throw new RangeError('nonce too low');
    const [address, hash] = [addressOf(sender), sha256(raw)];
    const evm = { hash, sender: address, nonce: BigInt(nonce), transaction: { value: BigInt(value) } };
    return {
      raw,
      ledgerHash: hash,
      evm: isEvm ? evm : undefined,
      sender: address,
      nonce: BigInt(nonce),
      stateNonce,
      payer: { chainAddress: address, evmAddress: undefined },
      cost,
      gasLimit: BigInt(gas),
      feeCap: BigInt(feeCap),
      tipCap: BigInt(tipCap),
    } as unknown as CheckedTransaction;
  }

  add(plan: Plan, options?: AddOptions): Promise<CheckedTransaction> {
    return this.pool.add(rawOf(plan), options);
  }

  /** A block of these transactions, which wrote these accounts besides; refused ones keep their nonces. */
  commit(txs: readonly Uint8Array[] = [], { refused = false } = {}, ...touched: number[]): void {
    const written = new Set(touched);
    for (const raw of refused ? [] : txs) {
      const [vm, sender, nonce] = Buffer.from(raw).toString().split(',');
      this.nonces.set(`${vm}/${sender}`, BigInt(nonce!) + 1n);
      written.add(Number(sender));
    }
    this.height++;
    const rows = (prefix: number) =>
      [...written].map((sender) => ({
        key: concatBytes(Uint8Array.of(prefix), addressOf(sender)),
        value: null,
      }));
    const stores = [
      { store: 'acc', changes: rows(0x01) },
      { store: 'bank', changes: rows(0x04) },
      { store: 'evm', changes: rows(0x0a) },
    ];
    const record = { block: { header: { height: this.height }, txs } } as unknown as BlockRecord;
    this.pool.onCommit(record, stores);
  }
}
