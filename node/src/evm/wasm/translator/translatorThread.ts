import { workerData } from 'node:worker_threads';
import { Module } from '../../../primitives/index.ts';
import type { ForkedCode } from './forkedCode.ts';
import { type Translation, translate } from './translate.ts';
import { TranslationStore } from './translationStore.ts';
import type { TranslationAnswer, TranslationOrder, TranslatorData } from './translationThread.ts';

/** Runs as a thread of its own: translates what it is sent, one code after another. */
const { port, directory } = workerData as TranslatorData;
const store = directory === undefined ? undefined : new TranslationStore({ directory });

port.on('message', ({ id, code, fork }: TranslationOrder) => {
  const translation = store?.read({ code, fork }) ?? translateAnew({ code, fork });
  const answer: TranslationAnswer = {
    id,
    translated: translation && { module: new Module(translation.module), entries: translation.entries },
  };
  port.postMessage(answer);
});

function translateAnew(code: ForkedCode): Translation | undefined {
  const translation = translate(code);
  if (translation) store?.keep(code, translation);
  return translation;
}
