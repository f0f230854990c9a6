import { CodedError } from '@chain/platform';

/** Somebody watches what only steps tell: the execution begins anew, by steps. */
export class StepsNeeded extends CodedError {
  constructor() {
    super('EVM_STEPS_NEEDED', 'an execution has to be run by steps');
  }
}
