/**
 * The contract: all that another program may know of a node: ports, file and directory names, log lines.
 * Owns: the one spelling of each. Does not own: any behaviour.
 */
export { CONFIG_FILES, DATA_DIRS } from './dataDirs.ts';
export { STARTUP_LINES } from './logLines.ts';
export { PORTS } from './ports.ts';
