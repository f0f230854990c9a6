/**
 * The REST listener: the query services by their `google.api.http` paths, as the Cosmos SDK's gateway has them.
 * Owns: routes, status codes, error bodies, the OpenAPI document and its page.
 * Does not own: what a method answers (ledgerQuery), the JSON of messages (proto).
 * Invariant: routes, document and answers come from the same protobuf files.
 */
export { openApiReference } from './openApi/openApiDocument.ts';
export { openRestServer } from './openRestServer.ts';
export type { RestDeps, RestOptions } from './restOptions.ts';
