import { isCodedError, oneLine } from '@chain/platform';
import type { NODE_CONDITIONS } from '../../api/index.ts';

type StalledReason = Exclude<keyof (typeof NODE_CONDITIONS)['Stalled']['reasons'], 'Healthy'>;

/** What only a person can put right. A pass ends with it; another one follows in a minute, or with the next change. */
export interface Fault {
  readonly reason: StalledReason;
  readonly message: string;
}

const REASONS: Readonly<Record<string, StalledReason>> = {
  RESOURCES_RESERVED_KEY: 'ReservedName',
  RESOURCES_RESERVED_NAME: 'ReservedName',
  RESOURCES_TOML: 'InvalidSpec',
  RESOURCES_KEY: 'InvalidSpec',
  RESOURCES_NAME_TAKEN: 'NameTaken',
  KUBE_REFUSED: 'ObjectRefused',
  KUBE_FORBIDDEN: 'ObjectRefused',
  TASK_NODE_KEY: 'MissingReference',
  SEALED_BOX: 'MissingReference',
};

/** What is refused, or missing, is looked for again so often: nobody tells when it changes. */
export const FAULT_LOOK_MS = 60_000;
/** A Secret or ConfigMap that is missing: one request, and somebody waits who has just made it. */
const MISSING_LOOK_MS = 3_000;
const MAX_MESSAGE = 1024;

/** The operator may not watch Secrets, which would give it all of them: what a spec names is asked for by name. */
export const lookAfter = ({ reason }: Fault): number =>
  reason === 'MissingReference' ? MISSING_LOOK_MS : FAULT_LOOK_MS;

/** `undefined` for what goes away by itself, and is thrown on. */
export function faultOf(error: unknown): Fault | undefined {
  if (!isCodedError(error)) return undefined;
  const reason = REASONS[error.code];
  return reason && { reason, message: `${oneLine(error.message, MAX_MESSAGE)}; tried again every minute` };
}

/** Of something that the spec names. */
export function missing(what: string): Fault {
  return { reason: 'MissingReference', message: `${what}, is not there; create it, or correct the spec` };
}
