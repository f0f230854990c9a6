import { readFile, stat } from 'node:fs/promises';
import { CodedError } from '../../errors.ts';
import type { Logger } from '../../logger.ts';

export interface WatchedFilesOptions {
  readonly paths: readonly string[];
  /** Time between two looks, in ms. */
  readonly checkIntervalMs: number;
}

export interface WatchedFilesDeps {
  readonly logger: Logger;
  /** Takes the contents, in the order of `paths`; throws a CodedError for what it cannot use. */
  readonly use: (contents: readonly Buffer[]) => void;
}

const MAX_BYTES = 1024 * 1024;

/**
 * Files whose contents are taken again when they change. It looks instead of listening: a mounted Secret changes by a
 * link two directories above the file. What cannot be used leaves the earlier contents in force and is looked at again.
 */
export class WatchedFiles {
  readonly #paths: readonly string[];
  readonly #deps: WatchedFilesDeps;
  readonly #timer: NodeJS.Timeout;
  #seen: string;
  #isLooking = false;

  private constructor({ paths, checkIntervalMs }: WatchedFilesOptions, deps: WatchedFilesDeps, seen: string) {
    this.#paths = paths;
    this.#deps = deps;
    this.#seen = seen;
    this.#timer = setInterval(() => void this.#look(), checkIntervalMs).unref();
  }

  /** Throws ACCESS_FILE_UNREADABLE, and what `use` throws. */
  static async open(options: WatchedFilesOptions, deps: WatchedFilesDeps): Promise<WatchedFiles> {
    const seen = await marksOf(options.paths);
    deps.use(await contentsOf(options.paths));
    return new WatchedFiles(options, deps, seen);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    const { logger, use } = this.#deps;
    const files = this.#paths.join(', ');
    try {
      const marks = await marksOf(this.#paths);
      if (marks === this.#seen) return;
      use(await contentsOf(this.#paths));
      this.#seen = marks;
      logger.info('Files of a listener were read again', { files });
    } catch (error) {
      logger.warn('Changed files of a listener cannot be used; the earlier ones stay in force', {
        files,
        error,
      });
    } finally {
      this.#isLooking = false;
    }
  }
}

/** Differs once a file is another one, or was written. */
async function marksOf(paths: readonly string[]): Promise<string> {
  const marks = await Promise.all(
    paths.map(async (path) => {
      const { dev, ino, mtimeMs, size } = await stat(path).catch((cause) => unreadable(path, cause));
      return [dev, ino, mtimeMs, size].join(':');
    }),
  );
  return marks.join(' ');
}

function contentsOf(paths: readonly string[]): Promise<Buffer[]> {
  return Promise.all(
    paths.map(async (path) => {
      const { size } = await stat(path).catch((cause) => unreadable(path, cause));
      if (size > MAX_BYTES) unreadable(path, { code: `more than ${MAX_BYTES} bytes` });
      return readFile(path).catch((cause) => unreadable(path, cause));
    }),
  );
}

function unreadable(path: string, cause: unknown): never {
  const reason = (cause as { code?: string }).code ?? String(cause);
  throw new CodedError(
    'ACCESS_FILE_UNREADABLE',
    `cannot read ${path} (${reason}); give its path, readable by this process, or leave the setting empty`,
    { fields: { path, reason } },
  );
}
