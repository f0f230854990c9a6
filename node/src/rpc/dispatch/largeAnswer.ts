/** The answer to one body as text; '' when there is nothing to say. */
export type Answer = string | LargeAnswer;

/** An answer with results that are bytes already: they go out as they are, for copies of them cost more than all else. */
export class LargeAnswer {
  readonly parts: readonly (string | Uint8Array)[];

  constructor(...parts: LargeAnswer['parts']) {
    this.parts = parts;
  }

  /** Characters and bytes together. */
  get length(): number {
    return this.parts.reduce((sum, part) => sum + part.length, 0);
  }
}

export function withNewline(answer: Answer): Answer {
  if (typeof answer === 'string') return answer === '' ? '' : `${answer}\n`;
  return new LargeAnswer(...answer.parts, '\n');
}

/** One array of the answers. */
export function joinAnswers(answers: readonly Answer[]): Answer {
  if (answers.every((answer) => typeof answer === 'string')) return `[${answers.join(',')}]\n`;
  const parts = answers.flatMap((answer, i) => {
    const separator = i === 0 ? '[' : ',';
    return typeof answer === 'string' ? [separator + answer] : [separator, ...answer.parts];
  });
  return new LargeAnswer(...parts, ']\n');
}
