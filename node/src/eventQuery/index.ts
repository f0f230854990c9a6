/**
 * CometBFT's query language, and the search for transactions and blocks by their events.
 * Owns: its parser, what a condition matches, how a search uses the index and when it must be narrowed.
 * Does not own: the index of events (history), pages and encodings of answers, subscriptions.
 * Invariants: any text is a query or EVENT_QUERY_REFUSED; every search has a limit.
 */
export { matchesQuery } from './query/matchQuery.ts';
export { parseQuery, type Query } from './query/parseQuery.ts';
export { searchBlocks } from './searchBlocks.ts';
export { searchTransactions } from './searchTransactions.ts';
