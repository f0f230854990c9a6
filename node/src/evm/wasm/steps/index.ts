/**
 * Frames by steps, for tracers that want each opcode, priced before it runs, and looks that only steps tell.
 * Owns the steps' values; does not own the tracers (`tracing`).
 * Invariant: a message by steps comes to what it comes to without.
 */
export { Stepper } from './stepper.ts';
export { StepsNeeded } from './stepsNeeded.ts';
export { failedBeforeExecution, watchEnd } from './watchedEnd.ts';
