import { type MessagePort, workerData } from 'node:worker_threads';
import { Module } from '../../../primitives/index.ts';
import { translate } from './translate.ts';
import type { TranslationAnswer, TranslationOrder } from './translationThread.ts';

/** Runs as a thread of its own: translates what it is sent, one code after another. */
const port = workerData as MessagePort;
port.on('message', ({ id, code }: TranslationOrder) => {
  const translation = translate(code);
  const answer: TranslationAnswer = {
    id,
    translated: translation && { module: new Module(translation.module), entries: translation.entries },
  };
  port.postMessage(answer);
});
