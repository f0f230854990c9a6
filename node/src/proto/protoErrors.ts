import { CodedError } from '@chain/platform';

/** What a client sent is not what the schema says: PROTO_BAD_INPUT. */
export const protoErrors = {
  parameter: (name: string, problem: string) =>
    new CodedError('PROTO_BAD_INPUT', `type mismatch, parameter: ${name}, error: ${problem}`, {
      fields: { parameter: name },
    }),
  body: (cause: unknown) =>
    new CodedError('PROTO_BAD_INPUT', `the body is not the JSON of the request: ${messageOf(cause)}`, {
      cause,
    }),
  bytes: (typeName: string, cause: unknown) =>
    new CodedError('PROTO_BAD_INPUT', `not a ${typeName}: ${messageOf(cause)}`, {
      fields: { typeName },
      cause,
    }),
} as const;

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message.slice(0, 200) : String(cause).slice(0, 200);
}
