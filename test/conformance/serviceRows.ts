import { NODE_ROWS } from './nodeRows.ts';
import { RPC_ROWS } from './rpcRows.ts';
import type { Rows } from './serviceRow.ts';

/** What the service promises: the rows of its tables and its numbered rules, each once. */
export const SERVICE_ROWS: Rows = { ...NODE_ROWS, ...RPC_ROWS };
