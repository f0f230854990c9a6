/**
 * The contract: all that another program may know of a node: ports, file and directory names, log lines.
 * Owns: the one spelling of each. Does not own: any behaviour.
 */
export { KEPT_BACKUPS } from './backups.ts';
export { CACHE_DIR, CONFIG_FILES, DATA_DIRS } from './dataDirs.ts';
export { STARTUP_LINES } from './logLines.ts';
export { NODE_REPORT_PATH, type NodeReport } from './nodeReport.ts';
export { PORTS } from './ports.ts';
export {
  NOT_READY_CODES,
  type NotReady,
  type NotReadyCode,
  type RefusedSnapshot,
  type StateSyncProgress,
} from './readiness.ts';
export { isBelow, type SignFloor, type SignPlace } from './signFloor.ts';
