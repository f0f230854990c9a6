/**
 * The split migration: the state sync procedure (spec M-2) as steps that can be run again, each in a journal.
 * Owns: `<home>/migration` (journal, backups, reports), the preflight, the wipe, the verification, the client of a
 * node's control socket.
 * Does not own: what settings mean, the state sync itself, stopping and starting a process.
 * Invariants: at no instant are the keys neither in the home nor in a verified backup; nothing is deleted that the
 * plan of the preflight does not name; the last-sign state never goes back.
 */
export { jobResult, runAsJob } from './asJob.ts';
export { verifyBackup } from './backup/manifest.ts';
export { sealKeys } from './backup/sealKeys.ts';
export type { Check } from './checks.ts';
export {
  CONTROL_FILE,
  type ControlPlace,
  type ControlStatus,
  createControlClient,
  type SampledRow,
} from './control.ts';
export type {
  DataDirectory,
  HomeAccess,
  HomeSettings,
  SettingsTexts,
  TargetSettings,
} from './homeAccess.ts';
export { type Journal, STEPS, type StepName } from './journal.ts';
export { Migration, type MigrationDeps, type MigrationOptions } from './migration.ts';
export { refuseDuringMigration } from './refuseDuringMigration.ts';
export type { PreflightWish } from './steps/preflightStep.ts';
export { findPeers } from './trust/findPeers.ts';
export { probeServers, resolveTrust } from './trust/resolveTrust.ts';
export { recordStart, type StartRecord } from './verify/readStartup.ts';
export type { MigrationReport } from './verify/report.ts';
