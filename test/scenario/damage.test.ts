import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { isCodedError } from '@chain/platform';
import { DATA_DIRS } from '@chain/platform/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDevNode } from '../support/devNode.ts';
import { deployLoad, type Load } from '../support/load.ts';
import { openHome } from '../support/openHome.ts';
import { createRandom } from '../support/random.ts';
import { openReplay, type Replay } from '../support/replay.ts';
import { until } from '../support/until.ts';

const SEED = Number(process.env.DAMAGE_SEED ?? Date.now() % 1_000_000);
/** 'npm run test:soak' asks for more. */
const ROUNDS = Number(process.env.DAMAGE_ROUNDS ?? 10);
const STARTS = 2;
/** Of each start, under load. */
const BLOCKS = 20;
const STORES = [
  DATA_DIRS.changelog,
  DATA_DIRS.pebbledb,
  DATA_DIRS.evmStore,
  DATA_DIRS.history,
  DATA_DIRS.memiavl,
];

describe('a damaged home', () => {
  const random = createRandom(SEED);
  let root: string;
  let whole: string;
  let height: number;
  let replay: Replay;
  let copies = 0;
  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'damage-'));
    whole = join(root, 'whole');
    let load: Load | undefined;
    for (let start = 1; start <= STARTS; start++) {
      const args = ['--set', 'state-commit.sc-snapshot-interval=15'];
      const node = await startDevNode({ home: whole, split: true, blockTimeMs: 10, args });
      load ??= await deployLoad(node.url, random);
      const loaded = load.run(node.url);
      await until(
        'the chain is long enough',
        async () => Number(load!.announced?.number ?? 0) >= start * BLOCKS,
      );
      expect(await node.stop()).toBe(0);
      await loaded;
    }
    replay = await openReplay(join(root, 'replay'), whole, true);
    const survivor = await openHome(copy(), { split: true });
    height = await replay.check(survivor);
    await survivor.close();
  });
  afterAll(async () => {
    await replay?.close();
    rmSync(root, { recursive: true, force: true });
  });

  function copy(): string {
    const home = join(root, `copy-${copies++}`);
    cpSync(whole, home, { recursive: true, verbatimSymlinks: true });
    return home;
  }

  /** The message of the refusal, whether at the start or at a read; `undefined` when all is as it was. */
  async function outcome(home: string): Promise<string | undefined> {
    try {
      const survivor = await openHome(home, { split: true });
      try {
        expect(await replay.compare(survivor)).toBe(height);
        return undefined;
      } finally {
        await survivor.close();
      }
    } catch (error) {
      if (!isCodedError(error)) throw error;
      return error.message;
    } finally {
      rmSync(home, { recursive: true });
    }
  }

  const filesOf = (home: string, store: string): string[] =>
    readdirSync(join(home, store), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/^(LOG|LOCK)/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      // Nobody reads a snapshot that is kept beside the newest.
      .filter(
        (path) => !path.includes('/snapshot-') || path.includes(readlinkSync(join(home, store, 'current'))),
      )
      .sort();

  const flip = (path: string, offset: number): void => {
    const bytes = readFileSync(path);
    bytes[offset]! ^= 1 << (offset % 8);
    writeFileSync(path, bytes);
  };

  const damages: readonly [string, (path: string, size: number) => void][] = [
    ['bit flipped', (path, size) => flip(path, random.below(size))],
    ['cut short', (path, size) => truncateSync(path, random.below(size))],
    ['removed', (path) => rmSync(path)],
    [
      'zeros in it',
      (path, size) => {
        const bytes = readFileSync(path);
        const at = random.below(size);
        bytes.fill(0, at, Math.min(size, at + 512));
        writeFileSync(path, bytes);
      },
    ],
  ];

  it(`is refused by a clear error or as it was, never wrong, whatever file is hit (seed ${SEED})`, {
    timeout: 60_000 + ROUNDS * 10_000,
  }, async () => {
    const refused = new Set<string>();
    for (let round = 0; round < ROUNDS; round++) {
      const home = copy();
      const store = STORES[round % STORES.length]!;
      const path = random.pick(filesOf(home, store).filter((file) => statSync(file).size > 0));
      const [name, damage] = random.pick(damages);
      damage(path, statSync(path).size);
      const message = await outcome(home).catch((cause: unknown) => {
        throw new RangeError(`round ${round}: ${relative(home, path)} ${name}`, { cause });
      });
      if (message === undefined) continue;
      refused.add(store);
      expect(message, relative(home, path)).toMatch(new RegExp(`${home}/data/.*[;:] .*(restore|state.sync)`));
    }
    // Which of few rounds are refused is the seed's affair.
    if (ROUNDS >= 30) expect(refused.size).toBeGreaterThan(2);
  });
});
