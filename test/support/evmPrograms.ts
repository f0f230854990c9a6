import {
  CHAIN_PRECOMPILES,
  EVM_FORKS,
  type EvmEngine,
  type EvmFork,
  EvmState,
  type EvmTracer,
  evmBlockOf,
  USUAL_FORK,
  warmInitialAccess,
} from '../../node/src/evm/index.ts';
import { equalBytes, hexToBytes, mapKeyOf } from '../../node/src/primitives/index.ts';
import { EMPTY_STATE, Overlay, type PointReads, type RangeReads } from '../../node/src/state/view/index.ts';
import { anyOpcode, pushWord } from './opcodePieces.ts';
import type { Random } from './random.ts';
import { deployer, type ProgramPool, randomBytes, randomProgram } from './randomPrograms.ts';

const CONTEXT = {
  chainId: 'chain-fuzz-1',
  evmChainId: 713_714n,
  height: 300,
  time: { seconds: 1_700_000_000n, nanos: 5 },
  proposer: new Uint8Array(20).fill(7),
  gasLimit: 35_000_000n,
  baseFee: 7n,
};
const SENDER = '0xaa00000000000000000000000000000000000001';
const POOL: ProgramPool = {
  contracts: [
    '0xcc00000000000000000000000000000000000001',
    '0xcc00000000000000000000000000000000000002',
    '0xcc00000000000000000000000000000000000003',
  ],
  accounts: [
    SENDER,
    '0xdd00000000000000000000000000000000000001',
    '0xdd00000000000000000000000000000000000002',
    '0x0000000000000000000000000000000000001004',
    '0x0000000000000000000000000000000000001001',
    '0x0000000000000000000000000000000000000100',
  ],
};
/** Words with leading zeros, for CLZ. */
const LEADING = [0n, 1n, 2n ** 63n, 2n ** 64n, 2n ** 127n, 2n ** 128n, 2n ** 192n - 1n, 2n ** 255n];
const ODD_PUSHES = ['60', '61', '7f', '5b', '56', '57', '5b5b', '6001565b', '600057', '5f565b'];

/** A message and the codes that it may meet. */
export interface EvmCase {
  readonly codes: readonly string[];
  /** `undefined` creates a contract from `data`. */
  readonly to: string | undefined;
  readonly data: string;
  readonly value: bigint;
  readonly gas: bigint;
  readonly fork: EvmFork;
}

export function randomEvmCase(random: Random): EvmCase {
  // Half of them by the rules of most chains, the others by any.
  const fork = random.below(2) === 0 ? USUAL_FORK : random.pick(EVM_FORKS);
  const codes = POOL.contracts.map(() => randomCode(random));
  const creates = random.below(6) === 0;
  const gas = BigInt(gasFor(random));
  return {
    codes,
    to: creates ? undefined : POOL.contracts[0],
    data: creates
      ? deployer(codes[0]!, random.pick(['', '602a5f55']))
      : randomBytes(random, random.below(70)),
    value: BigInt(random.pick([0, 0, 1, 1_000])),
    gas,
    fork,
  };
}

/** Little gas is spent in no time, and ends programs in more ways; some have enough for deep recursion. */
function gasFor(random: Random): number {
  const sort = random.below(16);
  if (sort < 5) return random.below(3_000);
  if (sort < 12) return 20_000 + random.below(60_000);
  return sort < 15 ? 400_000 : 2_000_000;
}

function randomCode(random: Random): string {
  const kinds: (() => string)[] = [
    () => randomProgram(random, POOL, 1 + random.below(14)),
    () => randomProgram(random, POOL, 1 + random.below(14)),
    () => Array.from({ length: 1 + random.below(30) }, () => anyOpcode(random, true)).join(''),
    () => randomBytes(random, random.below(60)).slice(2),
    () => jumpy(random),
    () => `${pushWord(random.pick(LEADING))}1e5f55${randomProgram(random, POOL, 2)}`,
    () =>
      random.below(4) === 0
        ? `ef0100${random.pick(POOL.contracts).slice(2)}`
        : randomProgram(random, POOL, 6),
  ];
  return random.pick(kinds)();
}

/** Pieces with jumps to anywhere between them: into the midst of pushes, in circles, beyond the end. */
function jumpy(random: Random): string {
  const pieces = Array.from({ length: 2 + random.below(12) }, () => {
    if (random.below(3) === 0) return random.pick(ODD_PUSHES);
    if (random.below(2) === 0)
      return `5b60${random.below(2).toString(16).padStart(2, '0')}60${random.below(90).toString(16).padStart(2, '0')}57`;
    return randomProgram(random, POOL, 1);
  });
  return pieces.join('');
}

/** How bytes are shown in an outcome. */
export type ShowBytes = (bytes: Uint8Array) => string;

/** Rows of the accounts that every case begins with. */
const BASE = baseRows();

function baseRows(): PointReads & RangeReads {
  const overlay = new Overlay(EMPTY_STATE);
  const state = new EvmState(overlay);
  for (const address of [...POOL.contracts, ...POOL.accounts].map(hexToBytes)) {
    state.setBalance(address, 10n ** 15n);
    state.setNonce(address, 1n);
  }
  for (const address of POOL.contracts.map(hexToBytes)) {
    for (let slot = 1; slot < 4; slot++) {
      state.setStorage(address, hexToBytes(slot.toString(16).padStart(64, '0')), Uint8Array.of(slot));
    }
  }
  const rows = new Map<string, Uint8Array>();
  for (const { store, changes } of overlay.changes()) {
    for (const { key, value } of changes) if (value) rows.set(store + mapKeyOf(key), value);
  }
  return {
    get: (store, key) => rows.get(store + mapKeyOf(key)),
    iterate: (store, range) => overlay.iterate(store, range),
  };
}

/** Everything that an engine may get wrong, as text. */
export async function outcomeOf(
  engine: EvmEngine,
  { codes, to, data, value, gas, fork }: EvmCase,
  show: ShowBytes = hex,
  tracer?: EvmTracer,
): Promise<string> {
  const overlay = new Overlay(BASE);
  const state = new EvmState(overlay);
  for (const [i, code] of codes.entries()) state.setCode(hexToBytes(POOL.contracts[i]!), hexToBytes(code));
  state.beginTransaction();
  const block = { ...evmBlockOf(CONTEXT, overlay), fork };
  const caller = hexToBytes(SENDER);
  const target = to === undefined ? null : hexToBytes(to);
  warmInitialAccess(state, { sender: caller, to: target, coinbase: block.coinbase, accessList: [], fork });
  const message = { caller, to: target, value, data: hexToBytes(data), gasLimit: gas, gasPrice: 11n };
  const host = { state, block, precompiles: CHAIN_PRECOMPILES };
  const result = await engine.execute(message, tracer ? { ...host, tracer } : host);
  const warm = state.warmSet();
  const touched = [
    ...warm.addresses.map(show),
    ...warm.slots.map(({ address, slot }) => show(address) + show(slot)),
  ].sort();
  state.endTransaction();
  return [
    `${kindOf(result.error)} gas ${result.gasUsed} refund ${result.gasRefund}`,
    `output ${show(result.returnData)} created ${result.createdAddress && show(result.createdAddress)}`,
    ...result.logs.map((log) => `log ${show(log.address)} ${log.topics.map(show).join()} ${show(log.data)}`),
    `touched ${touched.join()}`,
    ...rowsOf(overlay, show),
  ].join('\n');
}

/** The library does not tell all of geth's reasons apart; the words are compared with geth itself elsewhere. */
function kindOf(error: string | undefined): string | undefined {
  return error === undefined || error === 'execution reverted' ? error : 'failed';
}

/** What is there in the end and was not in the beginning: a row that is as it was leaves no trace on a chain. */
function rowsOf(overlay: Overlay, show: ShowBytes): string[] {
  return overlay
    .changes()
    .flatMap(({ store, changes }) =>
      changes
        .filter(({ key, value }) => !isSame(value ?? undefined, BASE.get(store, key)))
        .map(({ key, value }) => `${store} ${show(key)} ${value ? show(value) : 'deleted'}`),
    );
}

function isSame(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a && b ? equalBytes(a, b) : a === b;
}

export const hex: ShowBytes = (bytes) => Buffer.from(bytes).toString('hex');
