import { run } from './cli/index.ts';

const code = await run(process.argv.slice(2));
process.exitCode = code;
// Once leadership is lost, reconciliations may still be under way: they must not go on.
if (code !== 0) process.exit();
