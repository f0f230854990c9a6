import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Logger } from '@chain/platform';
import { parseJson } from '@chain/platform';

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
type Level = (typeof LEVELS)[number];

/** One line of CometBFT's JSON log. */
interface LogLine extends Readonly<Record<string, unknown>> {
  readonly _msg?: string;
  readonly msg?: string;
  readonly level?: string;
}

/** Puts what CometBFT logs into this node's log, with its level, module and fields; other text is an error. */
export function mergeLog(output: Readable, logger: Logger, onText: (line: string) => void): void {
  createInterface({ input: output }).on('line', (line) => {
    const parsed = parse(line);
    if (!parsed) {
      onText(line);
      logger.error('CometBFT printed', { line });
      return;
    }
    const { _msg: message = '', msg, level, ts: _time, ...fields } = parsed;
    const severity: Level = LEVELS.find((known) => known === level) ?? 'info';
    // Of a service's messages the second one says more.
    const text = typeof msg === 'string' ? msg : message;
    if (severity === 'error') onText([text, fields.err].filter(Boolean).join(': '));
    logger[severity](text, flat(fields));
  });
}

function parse(line: string): LogLine | undefined {
  try {
    const parsed: unknown = parseJson(line);
    return typeof parsed === 'object' && parsed !== null ? (parsed as LogLine) : undefined;
  } catch {
    return undefined;
  }
}

function flat(fields: Readonly<Record<string, unknown>>): Record<string, string | number | boolean> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string'
        ? value
        : JSON.stringify(value),
    ]),
  );
}
