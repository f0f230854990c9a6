/**
 * Linear memory: where each thing lies in it (`layout.ts`, which AssemblyScript and TypeScript read directly), and
 * how TypeScript reads and writes it.
 * Owns addresses, record formats, statuses; does not own what the records mean.
 * Invariant: a view is never kept beyond a call that may let the memory grow.
 */
export { LinearMemory } from './linearMemory.ts';
export { NoRoom } from './noRoom.ts';
