/**
 * The limiter's settings: one table that drives file, flags, environment, checks and docs; reloading.
 * Owns: every key and its default. Does not own: what a key does.
 * Invariant: settings in force have passed every check; a faulty file never takes their place.
 */
export { limiterReference, limiterToml } from './limiterReference.ts';
export { LIMITER_TABLE, type LimiterSettings } from './limiterTable.ts';
export { LiveSettings } from './liveSettings.ts';
export { loadSettings, type SettingsSources } from './loadSettings.ts';
