import { CodedError } from '@chain/platform';

type Kind =
  | 'ORDER'
  | 'NONE'
  | 'JOURNAL'
  | 'PREFLIGHT'
  | 'TRUST'
  | 'BACKUP'
  | 'WIPE'
  | 'RESTORE'
  | 'RUNNING'
  | 'START'
  | 'SYNC'
  | 'VERIFY'
  | 'ABORT';

/** What explains them; each has some of these. */
interface Fields {
  readonly about?: string;
  readonly approved?: string;
  readonly command?: string;
  readonly failed?: string;
  readonly file?: string;
  readonly home?: string;
  readonly id?: string;
  readonly left?: string;
  readonly method?: string;
  readonly missing?: string;
  readonly name?: string;
  readonly path?: string;
  readonly socketPath?: string;
  readonly step?: string;
  readonly url?: string;
  readonly pid?: number;
  /** Nobody listens: the process is gone. */
  readonly unreachable?: boolean;
}

const coded =
  (code: Kind) =>
  (message: string, fields: Fields = {}, cause?: unknown): CodedError =>
    new CodedError(`MIGRATE_${code}`, message, { fields: { ...fields }, cause });

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
  restore: coded('RESTORE'),
  running: coded('RUNNING'),
  start: coded('START'),
  sync: coded('SYNC'),
  verify: coded('VERIFY'),
  abort: coded('ABORT'),
};
