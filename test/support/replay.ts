import assert from 'node:assert';
import type { EvmEngineKind } from '../../node/src/evm/index.ts';
import { encodeBlockRecord } from '../../node/src/history/index.ts';
import { type OpenedHome, openHome } from './openHome.ts';

interface TouchedKey {
  readonly store: string;
  readonly key: Uint8Array;
}

/**
 * A second chain that never crashes: it executes, from genesis on and into stores of its own, the blocks that
 * survived elsewhere. What the survivor holds must be what this one holds.
 */
export interface Replay {
  /** Executes the survivor's new blocks and compares everything at every height. Gives the height reached. */
  check(survivor: OpenedHome): Promise<number>;
  /** Compares a survivor that is no newer than what was executed so far. Gives its height. */
  compare(survivor: OpenedHome): Promise<number>;
  close(): Promise<void>;
}

export async function openReplay(
  home: string,
  genesisHome: string,
  split: boolean,
  engine: EvmEngineKind = 'wasm',
): Promise<Replay> {
  const replayed = await openHome(home, { split, genesisHome, engine });
  return {
    check: async (survivor) => {
      const from = replayed.chain.nextHeight;
      await execute(replayed, survivor);
      assertSame(survivor.chain.appHash, replayed.chain.appHash, 'app hash');
      await compareBlocks(replayed, survivor, replayed.chain.height);
      compareState(replayed, survivor, { from, to: replayed.chain.height });
      return replayed.chain.height;
    },
    compare: async (survivor) => {
      const { height } = survivor.chain;
      // Genesis is part of the first block.
      if (height === 0) return 0;
      assertSame(survivor.chain.appHash, appHashAfter(replayed, height), `app hash after ${height}`);
      await compareBlocks(replayed, survivor, height);
      compareState(replayed, survivor, { from: 1, to: height });
      return height;
    },
    close: () => replayed.close(),
  };
}

async function execute({ chain, parts }: OpenedHome, survivor: OpenedHome): Promise<void> {
  assert.ok(survivor.chain.height >= chain.height, `${survivor.chain.height} is below ${chain.height}`);
  while (chain.height < survivor.chain.height) {
    const height = chain.nextHeight;
    const record = survivor.parts.history.blockByHeight(height);
    assert.ok(record, `block ${height} is missing`);
    if (chain.height > 0) assertSame(record.block.header.appHash, chain.appHash, `app hash in ${height}`);
    await chain.applyBlock(record.block);
  }
  await parts.stateStore.flushed();
}

function appHashAfter({ chain, parts }: OpenedHome, height: number): Uint8Array {
  if (height === chain.height) return chain.appHash;
  const next = parts.history.blockByHeight(height + 1);
  assert.ok(next, `the replay has not reached ${height}`);
  return next.block.header.appHash;
}

/** Blocks, results, receipts and logs up to `to`, and that each is found by its hash. */
async function compareBlocks(replayed: OpenedHome, survivor: OpenedHome, to: number): Promise<void> {
  const { history: expected } = replayed.parts;
  const { history } = survivor.parts;
  for (let height = expected.earliestHeight; height <= to; height++) {
    const record = expected.blockByHeight(height)!;
    const found = history.blockByHeight(height);
    assert.ok(found, `block ${height} is missing`);
    assert.ok(
      Buffer.from(encodeBlockRecord(found)).equals(encodeBlockRecord(record)),
      `block ${height} differs`,
    );
    assert.strictEqual(history.blockByHash(record.block.id.hash)?.block.header.height, height);
    for (const { transactionHash } of record.receipts) {
      const place = expected.transactionByHash(transactionHash)?.record.block.header.height;
      assert.strictEqual(history.transactionByHash(transactionHash)?.record.block.header.height, place);
    }
    const logs = await logsOf(survivor, height);
    assert.deepStrictEqual(logs, await logsOf(replayed, height), `logs of block ${height}`);
  }
}

/** A block's logs as the index gives them, readable. */
async function logsOf({ parts: { history } }: OpenedHome, height: number): Promise<string[]> {
  const logs = await history.logs({ fromHeight: height, toHeight: height });
  return logs.map(({ address, topics, data, logIndex }) =>
    [logIndex, ...[address, ...topics, data].map(show)].join('/'),
  );
}

/** Every key that any block up to `to` wrote, at every height from `from` on, in SS; and in SC at `to`. */
function compareState(
  replayed: OpenedHome,
  survivor: OpenedHome,
  { from, to }: { readonly from: number; readonly to: number },
): void {
  const keys = new Map<string, TouchedKey>();
  const values = new Map<string, Uint8Array | null>();
  for (const { changes } of replayed.parts.changelog.read(replayed.parts.changelog.firstVersion, to)) {
    for (const { store, changes: written } of changes.stores) {
      for (const { key, value } of written) {
        const name = `${store}/${Buffer.from(key).toString('latin1')}`;
        keys.set(name, { store, key });
        values.set(name, value);
      }
    }
    if (changes.version >= from) compareVersion(changes.version, { keys, values }, survivor);
  }
  for (const [name, { store, key }] of keys) {
    assertSame(survivor.parts.stateCommit.get(store, key), values.get(name), `SC ${name}`);
  }
}

function compareVersion(
  version: number,
  known: {
    readonly keys: ReadonlyMap<string, TouchedKey>;
    readonly values: ReadonlyMap<string, Uint8Array | null>;
  },
  { parts: { stateStore } }: OpenedHome,
): void {
  for (const [name, { store, key }] of known.keys) {
    assertSame(stateStore.get(store, key, version), known.values.get(name), `SS ${name} at ${version}`);
  }
}

function assertSame(
  found: Uint8Array | undefined,
  expected: Uint8Array | null | undefined,
  what: string,
): void {
  const same = expected ? found !== undefined && Buffer.from(found).equals(expected) : found === undefined;
  if (!same) assert.fail(`${what}: ${show(found)} instead of ${show(expected)}`);
}

const show = (bytes: Uint8Array | null | undefined): string =>
  bytes ? `0x${Buffer.from(bytes).toString('hex')}` : 'nothing';
