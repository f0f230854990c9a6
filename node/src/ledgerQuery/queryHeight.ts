import { queryErrors } from './queryErrors.ts';

/** Metadata and header that carry the height of a query and of its answer. */
export const HEIGHT_HEADER = 'x-cosmos-block-height';

/** A height as a header has it; 0 and nothing are the newest. Throws QUERY_INVALID_ARGUMENT. */
export function parseHeight(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  if (/^-\d+$/.test(text)) {
    throw queryErrors.invalid('cannot query with height < 0; please provide a valid height: invalid request');
  }
  if (!/^\d{1,15}$/.test(text)) {
    throw queryErrors.invalid(
      `invalid height header "${HEIGHT_HEADER}": "${text.slice(0, 40)}" is not a height: invalid request`,
    );
  }
  return Number(text) || undefined;
}
