import { parentPort } from 'node:worker_threads';

/** A thread that says it is ready, and ends with the first questions that it gets. */
const port = parentPort!;
port.on('message', () => process.exit(1));
port.postMessage('ready');
