/**
 * The status page: what fleets and nodes are doing, for people. Read-only, a port of its own.
 * Owns: HTML, its style, live updates. Does not own: where the resources come from.
 * Invariants: nothing on the page changes anything; every text of a resource is escaped.
 */
export { openStatusPage, type StatusPageDeps, type StatusPageOptions } from './openStatusPage.ts';
export type { Review } from './pageAccess.ts';
export type { StatusSource } from './statusSource.ts';
export { type LastReport, viewOf, type WatchedResources } from './viewOf.ts';
