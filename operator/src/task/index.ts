/**
 * Carrying out what `plan` decides: the world is looked at, Jobs, snapshots and claims are made, results are read.
 * Owns: the Jobs that run `chaind migrate`, trusted blocks, the verification from outside, what conditions say.
 * Does not own: the order of things, the node's own objects, writing the status.
 * Invariants: one decision a pass; whatever is made has its name in the status before; no pass waits for a node or a
 * trusted server.
 */
export { type MigrationPass, MigrationRunner, type MigrationRunnerDeps } from './migrationRunner.ts';
export type { NodeView } from './nodeView.ts';
export { obstacleOfBudgets } from './sharedBudgets.ts';
export { mustAsk, obstacleNow, servingNow } from './turn.ts';
