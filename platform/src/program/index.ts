/**
 * A program whose options are its settings: command line, help, file, environment, checks, exit codes, docs.
 * Owns: standard output of such a program. Does not own: any program's keys, what they do.
 * Invariant: results on standard output, everything else on standard error; one line an error, never a stack.
 */
export { type LoadedSettings, loadProgramSettings, type SettingsSources } from './loadProgramSettings.ts';
export type { SettingsProgram } from './program.ts';
export { type ProgramCommand, runProgram } from './runProgram.ts';
export { settingsReference, settingsToml } from './settingsPages.ts';
