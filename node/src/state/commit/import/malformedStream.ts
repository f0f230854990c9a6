import { CodedError } from '@chain/platform';

/** Nodes that make no tree. */
export function malformed(why: string): CodedError {
  return new CodedError(
    'STATE_COMMIT_IMPORT',
    `the imported nodes do not make a tree: ${why}; take another snapshot`,
  );
}

/** What an interrupted import left is not what it had noted. */
export function lostPosition(path: string, cause?: unknown): CodedError {
  return new CodedError(
    'STATE_COMMIT_IMPORT_POSITION',
    `the interrupted import cannot go on: ${path} does not hold what was noted of it; import the snapshot from its start`,
    { fields: { path }, cause },
  );
}
