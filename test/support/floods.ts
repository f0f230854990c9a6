import {
  GWEI,
  signRaw,
  type TestAccount,
  type TestTransaction,
  TOKEN,
} from '../../node/src/execution/testChain.fixture.ts';
import {
  chainAddressOf,
  evmAddressOf,
  publicKeyOf,
  sha256,
  uint64ToBytes,
} from '../../node/src/primitives/index.ts';

/** What a hostile client sends. */
export interface Flood {
  readonly name: string;
  /** The only ways in which the pool may refuse it; `taken` where it takes some. */
  readonly outcomes: readonly string[];
  /** The transaction of this position, by somebody who knows which nonce the pool waits for. */
  next(position: number, nonceOf: (account: TestAccount) => bigint): Uint8Array;
}

/** Accounts with 100 tokens each. */
export const FUNDED = Array.from({ length: 8 }, (_, i) => accountOf(i));
const [first, second, third] = FUNDED as [TestAccount, TestAccount, TestAccount];
const SINK = new Uint8Array(20).fill(0xee);
const PLAIN = { to: SINK, gasLimit: 21_000n };
const DEAR = { ...PLAIN, maxFeePerGas: 100n * GWEI, maxPriorityFeePerGas: 90n * GWEI };

export function accountOf(index: number): TestAccount {
  const privateKey = sha256(uint64ToBytes(BigInt(index + 1)));
  const publicKey = publicKeyOf(privateKey, true)!;
  const evmAddress = evmAddressOf(publicKeyOf(privateKey, false)!);
  return { privateKey, publicKey, evmAddress, chainAddress: chainAddressOf(publicKey) };
}

const TOO_LONG = new Uint8Array((1 << 20) + 1);

/** A number for each position, all over the 32 bits. */
const scatter = (position: number): number => Math.imul(position + 1, 0x9e3779b1) >>> 0;

/** Takes turns among accounts; each sends what the pool waits for. */
const inTurn = (accounts: readonly TestAccount[], fields: TestTransaction): Flood['next'] => {
  return (position, nonceOf) => {
    const account = accounts[position % accounts.length]!;
    return signRaw(account, { ...fields, nonce: nonceOf(account) });
  };
};

export const FLOODS: readonly Flood[] = [
  {
    name: 'nonce gaps of three accounts, at the highest price',
    outcomes: ['taken', 'MEMPOOL_ACCOUNT_FULL', 'MEMPOOL_FULL', 'MEMPOOL_DUPLICATE'],
    next: (position) =>
      signRaw([first, second, third][position % 3]!, { ...DEAR, nonce: BigInt(2 + (position % 50_000)) }),
  },
  {
    name: 'prices below the base fee',
    outcomes: ['EXECUTION_REJECTED_FEE'],
    next: (position) =>
      signRaw(first, { ...PLAIN, nonce: BigInt(position), maxFeePerGas: 1n, maxPriorityFeePerGas: 0n }),
  },
  {
    name: 'replacements with the least raise',
    outcomes: ['taken', 'MEMPOOL_UNDERPRICED', 'EXECUTION_REJECTED_NONCE'],
    next: (position, nonceOf) => {
      const raise = BigInt(position % 100);
      const prices = { maxFeePerGas: 20n * GWEI + raise, maxPriorityFeePerGas: 2n * GWEI + raise };
      const nonce = nonceOf(first) - (raise === 0n ? 0n : 1n);
      return signRaw(first, { ...PLAIN, ...prices, nonce });
    },
  },
  {
    name: 'ever new accounts without funds',
    outcomes: ['EXECUTION_REJECTED_FUNDS'],
    next: (position) => signRaw(accountOf(1000 + position), DEAR),
  },
  {
    name: 'one account that fills all it may, at the highest price',
    outcomes: ['taken', 'MEMPOOL_ACCOUNT_FULL'],
    next: inTurn([first], DEAR),
  },
  {
    name: 'accounts that fill the pool together, at the highest price',
    outcomes: ['taken', 'MEMPOOL_ACCOUNT_FULL', 'MEMPOOL_FULL'],
    next: inTurn(FUNDED, DEAR),
  },
  {
    name: 'values of more than an account has, each of which it could pay',
    outcomes: ['taken', 'MEMPOOL_FUNDS', 'EXECUTION_REJECTED_FUNDS'],
    next: (position, nonceOf) =>
      signRaw(first, { ...DEAR, value: 60n * TOKEN + BigInt(position), nonce: nonceOf(first) }),
  },
  {
    name: 'the same ten over and over',
    outcomes: ['taken', 'MEMPOOL_DUPLICATE', 'EXECUTION_REJECTED_NONCE'],
    next: (position) => signRaw(first, { ...DEAR, nonce: BigInt(position % 10) }),
  },
  {
    name: 'more bytes than a transaction may have',
    outcomes: ['MEMPOOL_TX_TOO_LARGE'],
    next: (position) => {
      TOO_LONG.set(uint64ToBytes(BigInt(position)));
      return TOO_LONG;
    },
  },
  {
    name: 'signatures of nobody',
    outcomes: [
      'EXECUTION_REJECTED_CHAIN_ID',
      'EXECUTION_REJECTED_FUNDS',
      'EXECUTION_REJECTED_REQUEST',
      'LEDGER_REFUSED',
    ],
    next: (position) => {
      const raw = Uint8Array.from(signRaw(first, DEAR));
      // Within r or s, which stand near the end.
      new DataView(raw.buffer).setUint32(raw.length - 60, scatter(position));
      return raw;
    },
  },
];
