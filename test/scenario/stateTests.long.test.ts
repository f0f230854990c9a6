import { isCodedError } from '@chain/platform';
import { describe, expect, it } from 'vitest';
import {
  createEvmEngine,
  decodeTransaction,
  type EvmEngineKind,
  recoverSenderKey,
} from '../../node/src/evm/index.ts';
import { checkFunds, checkNonce, checkShape } from '../../node/src/execution/transaction/admission.ts';
import {
  bytesToHex,
  decodeRlp,
  encodeRlp,
  evmAddressOf,
  hexToBytes,
} from '../../node/src/primitives/index.ts';
import { leftOutIf } from '../support/required.ts';
import { CHAIN_ID, replayProtected, runStateTest } from '../support/stateTests/runStateTest.ts';
import {
  type Expectation,
  FORK_OF,
  fixtureFiles,
  missingStateTests,
  readFixture,
  type StateTest,
} from '../support/stateTests/stateTestCases.ts';

const FIXTURES = leftOutIf('the fixtures of Ethereum', missingStateTests());
const PATIENCE_MS = 1_800_000;
/** Every so many files by default, so that the suite stays short; 1 runs all of them. */
const STRIDE = Number(process.env.STATE_TEST_STRIDE ?? 8);
/** The reference engine is slower by so much. */
const REFERENCE_STRIDE = 8;
const BLOB = '0x03';

/** Cases that are left out, by a part of their path, and why. */
const LEFT_OUT: readonly (readonly [part: string, why: string])[] = [
  ['InitCollisionParis', 'EIP-7610: an account with storage, but without code or nonce, cannot come about'],
  ['stEIP2537', 'made for a draft of EIP-2537 with other prices'],
];

interface Case {
  readonly name: string;
  readonly path: string;
  readonly test: StateTest;
  readonly fork: string;
  readonly expectation: Expectation;
}

function* casesOf(path: string): Iterable<Case> {
  for (const [name, test] of Object.entries(readFixture<StateTest>(path))) {
    for (const [fork, expectations] of Object.entries(test.post)) {
      if (!FORK_OF[fork]) continue;
      for (const expectation of expectations) yield { name, path, test, fork, expectation };
    }
  }
}

function whyLeftOut({ path, expectation }: Case): string | undefined {
  if (expectation.txbytes.startsWith(BLOB)) return 'this chain takes no blob transactions';
  return LEFT_OUT.find(([part]) => path.includes(part))?.[1];
}

/** What is wrong with a case, or `undefined`. */
async function faultOf(one: Case, engine: ReturnType<typeof createEvmEngine>): Promise<string | undefined> {
  const { test, expectation, fork } = one;
  try {
    const result = await runStateTest({ test, expectation, fork: FORK_OF[fork]!, engine });
    if (expectation.expectException) return `ran, but ${expectation.expectException} was expected`;
    if (result.logs !== expectation.logs) return 'other logs';
    return result.roots.includes(expectation.hash) ? undefined : 'another state root';
  } catch (error) {
    if (expectation.expectException && isCodedError(error)) return undefined;
    throw error;
  }
}

describe('the state tests of Ethereum', FIXTURES, () => {
  it.each(['wasm', 'reference'] as const satisfies readonly EvmEngineKind[])(
    'come out the same on the engine %s',
    async (kind) => {
      const engine = createEvmEngine({ chainId: CHAIN_ID, kind });
      const files = [...fixtureFiles('GeneralStateTests'), ...fixtureFiles('EIPTests/StateTests')];
      const faults: string[] = [];
      const leftOut = new Map<string, number>();
      let passed = 0;
      const stride = kind === 'wasm' ? STRIDE : STRIDE * REFERENCE_STRIDE;
      for (const path of files.filter((_, index) => index % stride === 0)) {
        for (const one of casesOf(path)) {
          const why = whyLeftOut(one);
          const fault = why === undefined ? await faultOf(one, engine) : undefined;
          if (why !== undefined) leftOut.set(why, (leftOut.get(why) ?? 0) + 1);
          else if (fault === undefined) passed++;
          else faults.push(`${path} ${one.fork} ${JSON.stringify(one.expectation.indexes)}: ${fault}`);
        }
      }
      process.stdout.write(`${kind}: ${passed} state tests passed; left out: ${textOf(leftOut)}\n`);
      expect(faults).toEqual([]);
      expect(passed).toBeGreaterThan(files.length / (2 * stride));
    },
    PATIENCE_MS,
  );
});

/** No account can hold more. */
const MAX_WEI = 2n ** 256n - 1n;
/** The ledger counts gas in 63 bits, so that a higher limit is refused. */
const HIGH_GAS_LIMIT = /ttGasLimit\/TransactionWithHighGasLimit6/;

interface TransactionTest {
  readonly txbytes: string;
  readonly result: Readonly<Record<string, Verdict>>;
}

interface Verdict {
  readonly exception?: string;
  readonly hash?: string;
  readonly sender?: string;
  readonly intrinsicGas?: string;
}

/** A transaction's hash, sender and intrinsic gas; `undefined` when it is refused. */
function verdictOf(raw: string, fork: string, chainId: bigint): Verdict | undefined {
  try {
    const transaction = decodeTransaction(hexToBytes(raw));
    const context = { gasLimit: 2n ** 64n, evmChainId: chainId, fork: FORK_OF[fork]! };
    const intrinsic = checkShape(replayProtected(transaction), context);
    const sender = evmAddressOf(recoverSenderKey(transaction));
    checkFunds({ ...transaction, value: 0n }, MAX_WEI);
    checkNonce(transaction, 0n, false);
    return {
      hash: `0x${bytesToHex(transaction.hash)}`,
      sender: `0x${bytesToHex(sender)}`,
      intrinsicGas: `0x${intrinsic.toString(16)}`,
    };
  } catch (error) {
    if (isCodedError(error)) return undefined;
    throw error;
  }
}

describe('the transaction tests of Ethereum', FIXTURES, () => {
  it('are refused, or have the sender and the gas that they should', () => {
    const faults: string[] = [];
    let passed = 0;
    for (const path of fixtureFiles('TransactionTests').filter((path) => !HIGH_GAS_LIMIT.test(path))) {
      for (const { txbytes, result } of Object.values(readFixture<TransactionTest>(path))) {
        for (const [fork, expected] of Object.entries(result)) {
          if (!FORK_OF[fork]) continue;
          const verdict = verdictOf(txbytes, fork, CHAIN_ID);
          const isRight = expected.exception ? verdict === undefined : sameVerdict(verdict, expected);
          if (isRight) passed++;
          else faults.push(`${path} ${fork}: ${JSON.stringify(verdict)} but ${JSON.stringify(expected)}`);
        }
      }
    }
    process.stdout.write(`${passed} transaction tests passed\n`);
    expect(faults).toEqual([]);
  });
});

function sameVerdict(verdict: Verdict | undefined, expected: Verdict): boolean {
  return (
    verdict?.hash === expected.hash &&
    verdict?.sender === expected.sender?.toLowerCase() &&
    BigInt(verdict?.intrinsicGas ?? 0) === BigInt(expected.intrinsicGas ?? 0)
  );
}

type RlpJson = string | number | readonly RlpJson[];

function rlpItem(json: RlpJson): Parameters<typeof encodeRlp>[0] {
  if (typeof json === 'object') return json.map(rlpItem);
  if (typeof json === 'string' && !json.startsWith('#')) return Buffer.from(json, 'latin1');
  const digits = BigInt(typeof json === 'string' ? json.slice(1) : json).toString(16);
  return digits === '0' ? new Uint8Array(0) : hexToBytes(digits.length % 2 ? `0${digits}` : digits);
}

describe('the RLP tests of Ethereum', FIXTURES, () => {
  it('encode to the given bytes, and what is invalid is refused', () => {
    for (const path of fixtureFiles('RLPTests')) {
      for (const [name, test] of Object.entries(readFixture<{ in: RlpJson; out: string }>(path))) {
        const bytes = (): Uint8Array => hexToBytes(test.out.replace(/^0x/, ''));
        if (test.in === 'INVALID') expect(() => decodeRlp(bytes()), name).toThrow();
        else if (test.in === 'VALID')
          expect(bytesToHex(encodeRlp(decodeRlp(bytes()))), name).toBe(bytesToHex(bytes()));
        else expect(bytesToHex(encodeRlp(rlpItem(test.in))), name).toBe(bytesToHex(bytes()));
      }
    }
  });
});

function textOf(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([why, count]) => `${count} (${why})`).join(', ') || 'none';
}
