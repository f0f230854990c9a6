/** Roles of a node; defaults follow from them. */
export type NodeMode = 'rpc' | 'validator' | 'archive' | 'seed';
