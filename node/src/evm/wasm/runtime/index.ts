/**
 * The compiled AssemblyScript of `node/assembly/evm` with a memory of its own and a fork's rules.
 * Owns the instance and what it asks of its host; does not own the answers (`run`).
 * Invariant: it serves one message at a time.
 */
export { type HostCalls, Runtime } from './runtime.ts';
