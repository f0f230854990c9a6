/**
 * EVM JSON-RPC: one file a method, the envelope, parameters and results, filters, the legacy gate.
 * Owns: what goes over the wire, and the mapping of errors to its codes. Does not own: state, blocks, execution,
 * HTTP itself.
 * Invariants: only a method in the registry can be called; state is read at one resolved height through the
 * store router; a fault of one call is answered and logged, and never ends the process.
 */
export type { DevelopmentControls, HostedAccount } from './development/controls.ts';
export { DEVELOPMENT_METHODS } from './development/developmentTable.ts';
export type { AskedAnswer, AskRpc } from './dispatch/askedCall.ts';
export { type JobAnswer, type JobOrder, movedOf, runJob, stateOn } from './jobs/runJob.ts';
export type { LedgerSource } from './legacy/ledgerSource.ts';
export { LEGACY_METHODS } from './legacy/legacyMethods.ts';
export { METHODS } from './methods.ts';
export { NAMESPACES } from './namespaces.ts';
export { openRpcServer, type RpcServer, type RpcServerOptions } from './openRpcServer.ts';
export { methodReference } from './reference/methodReference.ts';
export type { RpcPages } from './rpcDeps.ts';
export { COMPONENTS } from './schema/components.ts';
