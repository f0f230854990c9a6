/**
 * What is to be done, from what is wanted and what is: the split migration as a pure machine, rollouts of fleets.
 * Owns: the phases, what each asks of the world, what is written before and after; names of all that it makes; who of
 * a fleet is changed next and who has to wait.
 * Does not own: looking, doing, waiting.
 * Invariant: a decision changes the record or the world, never both; whoever dies around it loses nothing.
 */
export { floorOf, mayGoNow } from './fleet/budget.ts';
export { isHaltedBy, isResumedBy } from './fleet/halt.ts';
export { hasTurn, isCurrent, type Member, memberOf, partOf } from './fleet/member.ts';
export type {
  Blocker,
  FleetAction,
  FleetPlan,
  ObservedFleet,
  Rollout,
  WantedComparison,
} from './fleet/observedFleet.ts';
export { planFleet, takes } from './fleet/planFleet.ts';
export { isAbout, judgeShared, type SharedBudget, type SharedVerdict } from './fleet/sharedBudget.ts';
export { decide, mayBeDeleted } from './migration/decide.ts';
export type { Decision } from './migration/decision.ts';
export { soughtKeys } from './migration/keptKeys.ts';
export { type MigrationWorkload, migrationWorkload } from './migration/migrationWorkload.ts';
export type {
  Action,
  ChainView,
  JobResult,
  JobView,
  MigrationSettings,
  ObservedState,
  TrustView,
} from './migration/observedState.ts';
export {
  type BackupFacts,
  COMMANDS,
  type Command,
  isEnded,
  type JobPart,
  type Layout,
  type MigrationRecord,
  sameLayout,
  type TrustPoint,
  targetOf,
} from './migration/record.ts';
export { madeObjects } from './migration/superseded.ts';
export { isWindowOpen } from './windows.ts';
