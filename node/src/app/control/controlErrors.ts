import { CodedError } from '@chain/platform';

export function notRunning(phase: string): CodedError {
  return new CodedError('APP_NOT_RUNNING', `the node is ${phase}; wait until it runs`, { fields: { phase } });
}
