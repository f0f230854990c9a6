import { CodedError, type ErrorFields } from '@chain/platform';

const coded =
  (code: string) =>
  (message: string, fields: ErrorFields = {}, cause?: unknown): CodedError =>
    new CodedError(`MIGRATE_${code}`, message, { fields, cause });

/** What a migration refuses; every message ends with a remedy. */
export const migrationErrors = {
  /** A step before its turn. */
  order: coded('ORDER'),
  /** There is no migration, or one that has ended. */
  none: coded('NONE'),
  journal: coded('JOURNAL'),
  preflight: coded('PREFLIGHT'),
  trust: coded('TRUST'),
  backup: coded('BACKUP'),
  wipe: coded('WIPE'),
  configure: coded('CONFIGURE'),
  restore: coded('RESTORE'),
  running: coded('RUNNING'),
  start: coded('START'),
  sync: coded('SYNC'),
  verify: coded('VERIFY'),
  abort: coded('ABORT'),
};
