import { CodedError } from '@chain/platform';

/** A query that cannot be read, or that would look at too much. The text is for the client. */
export function queryFailure(text: string): CodedError<'EVENT_QUERY_REFUSED'> {
  return new CodedError('EVENT_QUERY_REFUSED', text);
}
