import type { ControlClient } from '../control.ts';
import type { HomeAccess } from '../homeAccess.ts';
import type { Journal } from '../journal.ts';

export interface StepDeps {
  readonly access: HomeAccess;
  readonly control: ControlClient;
  /** Told what a long step is doing. */
  readonly tell: (message: string) => void;
}

/** What a step did, in one line, and how the journal changes with it. */
export interface StepOutcome {
  readonly detail: string;
  readonly changes?: Partial<Pick<Journal, 'backup' | 'trust' | 'peers' | 'sealedAt' | 'parkedPid' | 'wipe'>>;
}

/** Everything a step does can be done again. */
export type Step = (journal: Journal, deps: StepDeps) => Promise<StepOutcome>;
