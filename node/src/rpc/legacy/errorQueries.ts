import { errorQueries } from '../blocks/errorQueries.ts';

/** Why a transaction failed, as the EVM says it (spec G-9). */
export const ERROR_QUERIES = errorQueries('chain');
