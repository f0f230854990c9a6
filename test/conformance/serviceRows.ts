import { NODE_ROWS } from './nodeRows.ts';
import { RPC_ROWS } from './rpcRows.ts';
import type { Rows } from './serviceRow.ts';

/** The rows of service.md's tables and its numbered rules, once. */
export const SERVICE_ROWS: Rows = { ...NODE_ROWS, ...RPC_ROWS };
