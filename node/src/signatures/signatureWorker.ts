import { parentPort } from 'node:worker_threads';
import { answerPacked } from './records.ts';

/** Runs as a thread of its own: packed questions in, packed answers out, in the order of their arrival. */
const port = parentPort!;
port.on('message', (questions: Uint8Array) => {
  const answers = answerPacked(questions);
  port.postMessage(answers, [answers.buffer]);
});
port.postMessage('ready');
