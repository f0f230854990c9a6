import type { QueryAnswer } from '../queryAnswer.ts';
import { queryStatus, type StatusName } from '../queryStatus.ts';
import type { AbciQueryResult } from './abciQuery.ts';
import { refusedQuery } from './refusedQuery.ts';

/** gRPC's names of statuses; the clients of the SDK look for `code = NotFound`. */
const GO_NAMES: Readonly<Record<StatusName, string>> = {
  OK: 'OK',
  CANCELLED: 'Canceled',
  UNKNOWN: 'Unknown',
  INVALID_ARGUMENT: 'InvalidArgument',
  DEADLINE_EXCEEDED: 'DeadlineExceeded',
  NOT_FOUND: 'NotFound',
  RESOURCE_EXHAUSTED: 'ResourceExhausted',
  UNIMPLEMENTED: 'Unimplemented',
  INTERNAL: 'Internal',
  UNAVAILABLE: 'Unavailable',
};

/** A gRPC method's answer as that of an ABCI query. Rejects for what is nobody's answer. */
export async function answerService(answer: Promise<QueryAnswer>): Promise<AbciQueryResult> {
  try {
    const { bytes: value, height } = await answer;
    return { code: 0, codespace: '', log: '', key: new Uint8Array(0), value, height };
  } catch (error) {
    const { name, message } = queryStatus(error);
    if (name === 'INTERNAL') throw error;
    const text = `rpc error: code = ${GO_NAMES[name]} desc = ${message}`;
    return refusedQuery(name === 'NOT_FOUND' ? 'keyNotFound' : 'invalidRequest', text);
  }
}
