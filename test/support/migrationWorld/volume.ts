export type Layout = 'one' | 'split';

/** A volume as `chaind migrate evm-split` leaves it: enough of it to tell whether keys or data were lost. */
export interface Volume {
  keysInHome: boolean;
  /** The digest of a backup that is whole. */
  backup?: string;
  data: Layout | 'none' | 'partial';
  journal?: Journal;
}
export interface Journal {
  outcome: 'running' | 'migrated' | 'aborted';
  stopped: boolean;
  wiped: boolean;
  sealed: boolean;
  into: Layout;
}

export const newVolume = (data: Layout): Volume => ({ keysInHome: true, data });

/** A node does not open a home that a migration holds. */
export const isHeld = ({ journal }: Volume): boolean =>
  journal?.outcome === 'running' && journal.stopped && !journal.sealed;

export class StepRefused extends Error {}

/** The steps of one Job, in order; a pod that is killed has done some of them. Each can be done again. */
export function stepsOf(
  part: string,
  volume: Volume,
  given: { readonly digest?: string; readonly into: Layout },
): (() => void)[] {
  const requireJournal = (): Journal => {
    if (volume.journal?.outcome !== 'running') throw new StepRefused('no migration has begun');
    return volume.journal;
  };
  const begin = (): void => {
    if (volume.journal?.outcome === 'running') return;
    volume.journal = { outcome: 'running', stopped: false, wiped: false, sealed: false, into: given.into };
  };
  const stop = (): void => {
    const journal = requireJournal();
    if (journal.wiped && !journal.sealed) return;
    Object.assign(journal, { stopped: true, wiped: false, sealed: false });
  };
  const backUp = (): void => {
    if (volume.keysInHome) volume.backup = DIGEST;
    if (volume.backup === undefined) throw new StepRefused('the backup is not whole');
  };
  const wipe = (): void => {
    const journal = requireJournal();
    if (volume.backup === undefined || given.digest !== volume.backup) {
      throw new StepRefused('not the backup that was approved');
    }
    Object.assign(journal, { wiped: true, into: given.into });
    volume.keysInHome = false;
    volume.data = 'none';
  };
  const restore = (): void => {
    if (volume.backup === undefined) throw new StepRefused('the backup is not whole');
    volume.keysInHome = true;
  };
  const seal = (): void => void Object.assign(requireJournal(), { sealed: true });
  const verify = (): void => {
    if (volume.journal?.outcome === 'migrated') return;
    const journal = requireJournal();
    if (volume.data !== journal.into) throw new StepRefused(`the data are ${volume.data}`);
    journal.outcome = 'migrated';
  };
  const abort = (): void => {
    if (volume.journal?.outcome === 'running') volume.journal.outcome = 'aborted';
  };
  const steps: Readonly<Record<string, (() => void)[]>> = {
    preflight: [begin],
    backup: [begin, stop, backUp],
    apply: [begin, stop, backUp, wipe, restore, seal],
    verify: [verify],
    abort: [abort],
  };
  return steps[part]!;
}

/** SHA-256 in hex, of a manifest that never changes here. */
const DIGEST = 'ab'.repeat(32);
