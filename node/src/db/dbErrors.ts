import { CodedError, isCodedError, isDiskFull, writeRemedy } from '@chain/platform';

/** What engines say of bytes that are not what they wrote, */
const CORRUPTION = /corruption/i;
/** and of files that are gone. */
const LOSS = /missing files|no such file/i;
const RESTORE = "restore it from a backup, or remove the node's data and state sync";

/** What every engine throws of the database in `directory`, whatever its own library says. */
export class DbErrors {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  cannotOpen(cause: unknown): CodedError {
    if (isCodedError(cause)) return cause;
    const directory = this.#directory;
    return new CodedError(
      'DB_OPEN_FAILED',
      `database "${directory}" cannot be opened: ${describeCause(cause)}; ${this.#openRemedy(cause)}`,
      { fields: { directory }, cause },
    );
  }

  failed(what: string, cause: unknown): CodedError {
    if (isCodedError(cause)) return cause;
    const directory = this.#directory;
    const reason = describeCause(cause);
    if (CORRUPTION.test(reason)) {
      return new CodedError(
        'DB_DAMAGED',
        `database "${directory}" is damaged, it failed to ${what}: ${reason}; ${RESTORE}`,
        { fields: { directory, what }, cause },
      );
    }
    return new CodedError(
      'DB_FAILED',
      `database "${directory}" failed to ${what}: ${reason}; ${damageRemedy(cause) ?? writeRemedy(directory, cause)}`,
      { fields: { directory, what }, cause },
    );
  }

  #openRemedy(cause: unknown): string {
    if (isDiskFull(cause)) return writeRemedy(this.#directory, cause);
    const restore = damageRemedy(cause);
    if (restore) return restore;
    return 'check that no other process uses it and that the disk is readable';
  }

  closed(): CodedError {
    const directory = this.#directory;
    return new CodedError(
      'DB_CLOSED',
      `database "${directory}" is closed; it was used after the node began to stop`,
      { fields: { directory } },
    );
  }
}

function damageRemedy(cause: unknown): string | undefined {
  const reason = describeCause(cause);
  return CORRUPTION.test(reason) || LOSS.test(reason) ? RESTORE : undefined;
}

function describeCause(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}
