import { CodedError } from '@chain/platform';

/** Nodes that make no tree. */
export function malformed(why: string): CodedError {
  return new CodedError(
    'STATE_COMMIT_IMPORT',
    `the imported nodes do not make a tree: ${why}; take another snapshot`,
  );
}
