import { CodedError } from '@chain/platform';

/** Linear memory has no room for an execution: the reference engine has to run it. */
export class NoRoom extends CodedError {
  constructor(what: string) {
    super('EVM_NO_ROOM', `an execution needs more ${what} than the engine has room for`);
  }
}
