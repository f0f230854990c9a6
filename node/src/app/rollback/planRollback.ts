import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CONFIG_FILES } from '@chain/platform/contract';
import { blockTimeToMillis } from '../../comet/index.ts';
import { readSignState } from '../../keys/index.ts';
import { bytesToHex, equalBytes } from '../../primitives/index.ts';
import { shelfOf } from '../snapshotPlaces.ts';
import { stateDirectories } from '../stateDirectories.ts';
import { flatKvOptions, type StateSettings } from '../stateOptions.ts';
import { rollbackErrors } from './rollbackErrors.ts';
import type { RollbackParts } from './rollbackParts.ts';

/** How far back: so many blocks, or to a height. */
export type RollbackWish = { readonly blocks: number } | { readonly height: number };

/** What a rollback would do, shown before it does. */
export interface RollbackPlan {
  readonly from: number;
  readonly target: number;
  /** The lowest height that could be gone back to. */
  readonly lowest: number;
  readonly lostBlocks: number;
  /** Ledger transactions in them. */
  readonly lostTransactions: number;
  /** Unix milliseconds of the newest block that stays and of the newest that goes. */
  readonly targetTime: number;
  readonly fromTime: number;
  readonly rebuildsFlatKv: boolean;
  /** Snapshots for state sync that are deleted. */
  readonly lostSnapshots: readonly number[];
  readonly resetSignState: boolean;
}

interface Context {
  readonly settings: StateSettings;
  readonly parts: RollbackParts;
  /** The person says that nobody else has seen the blocks. */
  readonly mayResetSignState: boolean;
}

/** Checks that every store can follow; changes nothing. Throws APP_ROLLBACK_… . */
export async function planRollback(wish: RollbackWish, context: Context): Promise<RollbackPlan> {
  const { settings, parts } = context;
  const { history } = parts;
  const from = history.latestHeight;
  const target = 'height' in wish ? wish.height : Math.max(0, from - wish.blocks);
  if (target >= from) throw rollbackErrors.notBelow(target, from);
  const lowest = requireReachable(target, from, context);
  await requireNoUnusedEvmStore(settings);
  const resetSignState = await mustResetSignState(target, context);
  const next = history.blockByHeight(target + 1)!;
  const computed = parts.commit.appHashAt(target);
  if (!equalBytes(computed, next.block.header.appHash)) {
    throw rollbackErrors.stateDiffers(target, bytesToHex(computed), bytesToHex(next.block.header.appHash));
  }
  let lostTransactions = 0;
  for (let height = target + 1; height <= from; height++) {
    lostTransactions += history.blockByHeight(height)!.block.txs.length;
  }
  const timeOf = (height: number): number =>
    blockTimeToMillis(history.blockByHeight(height)!.block.header.time);
  return {
    from,
    target,
    lowest,
    lostBlocks: from - target,
    lostTransactions,
    targetTime: timeOf(target),
    fromTime: timeOf(from),
    lostSnapshots: shelfOf({ home: settings.home, app: settings.config })
      .heights()
      .filter((height) => height > target),
    rebuildsFlatKv: flatKvOptions(settings) !== undefined,
    resetSignState,
  };
}

/** Every store's own lowest height counts. Throws APP_ROLLBACK_UNREACHABLE, APP_ROLLBACK_NO_PATH. */
function requireReachable(target: number, from: number, { settings, parts }: Context): number {
  const { commit, stateStore, history, changelog } = parts;
  const { lowestVersion } = commit;
  if (lowestVersion === undefined) throw rollbackErrors.noPath(from);
  const beginning = { height: settings.initialHeight, about: 'the chain begins at' };
  const limits = [
    beginning,
    {
      height: lowestVersion,
      about: 'the oldest snapshot of the state (sc-keep-recent) that the changelog joins is of',
    },
    { height: changelog.firstVersion - 1, about: 'the changelog reaches down to' },
    { height: stateStore.earliestVersion, about: 'the state store was pruned (ss-keep-recent) below' },
    { height: history.earliestHeight, about: 'blocks were pruned (min-retain-blocks) below' },
    {
      height: history.earliestReceiptHeight,
      about: 'receipts were pruned ([receipt-store] keep-recent) below',
    },
  ].sort((a, b) => b.height - a.height);
  const lowest = limits[0]!.height;
  if (lowest >= from) throw rollbackErrors.noPath(from);
  if (target >= lowest) return lowest;
  // What stands at the beginning of the chain has lost nothing, and says no more than that it begins there.
  const hindering = limits.filter(
    (limit) => limit.height > target && (limit === beginning || limit.height > beginning.height),
  );
  throw rollbackErrors.unreachable(
    target,
    lowest,
    hindering.map(({ about, height }) => `${about} ${height}`).join('; '),
  );
}

/** One that is not in use would not go back, and be taken for this chain's if the split is ever set again. */
async function requireNoUnusedEvmStore(settings: StateSettings): Promise<void> {
  const { home, config } = settings;
  if (config['state-store']['evm-ss-split']) return;
  const { evm } = stateDirectories(home, config);
  const entries = await readdir(evm).catch(() => []);
  if (entries.length > 0) throw rollbackErrors.unusedEvmStore(evm);
}

/**
 * The embedded engine signs every height once. Its blocks above the target are gone for this node, but whoever
 * has them would hold another block of the same height and key; in a development home the key is public anyway.
 * CometBFT keeps its own blocks and signs none again.
 */
async function mustResetSignState(
  target: number,
  { settings: { home, config }, mayResetSignState }: Context,
): Promise<boolean> {
  if (config.node.engine !== 'embedded') return false;
  const { height } = await readSignState(join(home, CONFIG_FILES.validatorState));
  if (height <= target) return false;
  if (!config.node.development && !mayResetSignState) throw rollbackErrors.signed(target, height);
  return true;
}
