/** The answer to one request as text. */
export type Answer = string | LargeAnswer;

/** An answer whose result is bytes that are ready: they go out as they are, for copies of them cost more than all else. */
export class LargeAnswer {
  readonly parts: readonly [before: string, result: Uint8Array, after: string];

  constructor(...parts: LargeAnswer['parts']) {
    this.parts = parts;
  }

  toString(): string {
    const [before, result, after] = this.parts;
    const { buffer, byteOffset, byteLength } = result;
    return `${before}${Buffer.from(buffer, byteOffset, byteLength).toString('utf8')}${after}`;
  }
}

export function withNewline(answer: Answer): Answer {
  if (typeof answer === 'string') return answer === '' ? '' : `${answer}\n`;
  const [before, result, after] = answer.parts;
  return new LargeAnswer(before, result, `${after}\n`);
}
