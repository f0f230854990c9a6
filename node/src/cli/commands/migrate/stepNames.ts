/** Steps of the procedure, in order; the last two stand by themselves. */
export const STEP_NAMES = [
  'preflight',
  'stop',
  'backup',
  'wipe',
  'init',
  'configure',
  'restore',
  'seal',
  'start',
  'verify',
  'status',
  'abort',
] as const;
