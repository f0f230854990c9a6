/** Plain values that explain an error: names, paths, numbers. Never a secret. */
export type ErrorFields = Readonly<Record<string, string | number | bigint | boolean | undefined>>;

/**
 * An error that a caller can act on. `code` is `<ROOM>_<WHAT>` and stable; the message names the thing, the
 * value and the remedy; `fields` hold what the message says, for logs and tests.
 */
export class CodedError<Code extends string = string> extends Error {
  readonly code: Code;
  readonly fields: ErrorFields;

  constructor(code: Code, message: string, details: { fields?: ErrorFields; cause?: unknown } = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'CodedError';
    this.code = code;
    this.fields = details.fields ?? {};
  }
}

export function isCodedError<Code extends string>(error: unknown, code?: Code): error is CodedError<Code> {
  return error instanceof CodedError && (code === undefined || error.code === code);
}
