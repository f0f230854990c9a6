import { type DestinationStream, type Level, pino } from 'pino';
import { parseJson } from './json/parseJson.ts';

export type LogFields = Readonly<Record<string, unknown>>;
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** Constant messages; data goes into fields. A child carries `{ room }`. */
export interface Logger {
  trace(message: string, fields?: LogFields): void;
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  child(fields: LogFields): Logger;
}

export interface LoggerOptions {
  readonly level?: LogLevel;
  /** One line a record: JSON for machines, `pretty` for people; `auto` asks whether standard error is a terminal. */
  readonly format?: 'auto' | 'json' | 'pretty';
  /** Receives whole lines; standard error by default, so that results on standard output stay clean. */
  readonly write?: (line: string) => void;
}

/** The part of pino that is used. */
type Pino = Record<Level, (fields: object, message: string) => void> & {
  isLevelEnabled(level: string): boolean;
};
const LEVELS = ['trace', 'debug', 'info', 'warn', 'error'] as const;

/** Builds the program's logger; bigints and bytes in fields are printed, not thrown at. */
export function createLogger({ level = 'info', format = 'json', write }: LoggerOptions = {}): Logger {
  const sink = write ?? ((line: string) => void process.stderr.write(line));
  const isPretty = format === 'pretty' || (format === 'auto' && process.stderr.isTTY === true);
  const destination: DestinationStream = {
    write: (line) => sink(isPretty ? prettyLine(line) : line),
  };
  const instance: Pino = pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label: string) => ({ level: label }) },
    },
    destination,
  );
  return wrap(instance, {});
}

/** Not pino's own children: what they and a record both name is in the line twice, which some collectors refuse. */
function wrap(instance: Pino, bound: LogFields): Logger {
  const write =
    (level: Level) =>
    (message: string, fields: LogFields = {}): void => {
      if (instance.isLevelEnabled(level)) instance[level]({ ...bound, ...printable(fields) }, message);
    };
  const [trace, debug, info, warn, error] = LEVELS.map(write) as [
    ReturnType<typeof write>,
    ...ReturnType<typeof write>[],
  ];
  return {
    trace,
    debug: debug!,
    info: info!,
    warn: warn!,
    error: error!,
    child: (fields) => wrap(instance, { ...bound, ...printable(fields) }),
  };
}

function printable(fields: LogFields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, printableValue(value)]));
}

function printableValue(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Uint8Array) return `0x${Buffer.from(value).toString('hex')}`;
  if (value instanceof Error) {
    return { message: value.message, stack: value.stack, ...('code' in value ? { code: value.code } : {}) };
  }
  return value;
}

function prettyLine(line: string): string {
  const { time, level, msg, ...fields } = parseJson(line) as Record<string, unknown>;
  const clock = String(time).slice(11, 23);
  const rest = Object.entries(fields)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ');
  return `${clock} ${String(level).toUpperCase().padEnd(5)} ${String(msg)}${rest ? `  ${rest}` : ''}\n`;
}

/** For tests and tools that want no log. */
export const silentLogger: Logger = createLogger({ level: 'silent' });
