import { isCodedError } from '@chain/platform';
import type { NODE_CONDITIONS } from '../../api/index.ts';

type StalledReason = Exclude<keyof (typeof NODE_CONDITIONS)['Stalled']['reasons'], 'Healthy'>;

/** What only a person can put right. Passes end with it; the next change of anything begins another. */
export interface Fault {
  readonly reason: StalledReason;
  readonly message: string;
}

const REASONS: Readonly<Record<string, StalledReason>> = {
  RESOURCES_RESERVED_KEY: 'ReservedName',
  RESOURCES_RESERVED_NAME: 'ReservedName',
  RESOURCES_TOML: 'InvalidSpec',
  RESOURCES_KEY: 'InvalidSpec',
  KUBE_REFUSED: 'ObjectRefused',
  KUBE_FORBIDDEN: 'ObjectRefused',
};

/** `undefined` for what goes away by itself, and is thrown on. */
export function faultOf(error: unknown): Fault | undefined {
  if (!isCodedError(error)) return undefined;
  const reason = REASONS[error.code];
  return reason && { reason, message: error.message };
}

/** Of something that the spec names. */
export function missing(what: string): Fault {
  return { reason: 'MissingReference', message: `${what}, is not there; create it, or correct the spec` };
}
