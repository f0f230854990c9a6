/**
 * The limiter's settings: one table that drives file, flags, environment, checks and docs; reloading.
 * Owns: every key and its default. Does not own: what a key does.
 * Invariant: settings in force have passed every check; a faulty file never takes their place.
 */
export { limiterReference } from './limiterReference.ts';
export type { LimiterSettings } from './limiterTable.ts';
export { LiveSettings } from './liveSettings.ts';
export { LIMITER, loadSettings } from './loadSettings.ts';
