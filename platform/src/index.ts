/**
 * What two programs share: logger, lifecycle, errors, clock, durable files; `./servers` and `./metrics` have the rest.
 * Owns: pino. Does not own: anything that knows of chains.
 * Invariants: no module-level mutable state; every thread loads this, so nothing here loads a server.
 */
export { clientKey, peerAddress } from './clientKey.ts';
export { clientOf } from './clientOf.ts';
export { type Clock, systemClock } from './clock.ts';
export { CrashBoundary, type CrashBoundaryDeps, type CrashCounter } from './crashBoundary.ts';
export { diskFull, isDiskFull, messageOf, writeRemedy } from './diskFull.ts';
export { syncDirectory, writeFileDurably } from './durableFile.ts';
export { CodedError, type ErrorFields, isCodedError } from './errors.ts';
export { hostAndPort, urlOf } from './hostAndPort.ts';
export { type IpBytes, parseIp, sharePrefix } from './ipAddress.ts';
export {
  JSON_LIMITS,
  type JsonLimits,
  type JsonReading,
  type JsonReviver,
  parseJson,
} from './json/parseJson.ts';
export { readJsonBody } from './json/readJsonBody.ts';
export { Lifecycle } from './lifecycle.ts';
export {
  createLogger,
  type LogFields,
  type Logger,
  type LoggerOptions,
  type LogLevel,
  silentLogger,
} from './logger.ts';
export { oneLine } from './oneLine.ts';
export { pathExists } from './pathExists.ts';
export { isResourceError, throwIfResource } from './resourceError.ts';
export { boxKeys, openSealed, sealTo } from './sealedBox.ts';
export { Serial } from './serial.ts';
export { onStopSignal } from './stopSignal.ts';
export { type TurnShare, Turns } from './turns.ts';
