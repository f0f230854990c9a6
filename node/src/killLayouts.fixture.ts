/** Whether a home is split, for suites of kills and of lost power: the layout with more databases, or both in long runs. */
export const KILL_LAYOUTS: readonly boolean[] = process.env.KILL_LAYOUTS === 'all' ? [false, true] : [true];
