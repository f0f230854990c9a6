import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';
import { text as readAll } from 'node:stream/consumers';
import { CodedError } from '@chain/platform';

/** Asks for secrets: on a terminal without echo, or line by line from standard input. */
export interface SecretReader {
  /** The next secret. `confirm` asks twice on a terminal. */
  ask(label: string, options?: { readonly confirm?: boolean }): Promise<string>;
  /** Whether the person says yes; never asked when standard input carries the secrets. */
  agree(question: string): Promise<boolean>;
}

/** `fromStandardInput`: one secret a line, in the order they are asked for (`--password-stdin`). */
export function openSecretReader(fromStandardInput: boolean): SecretReader {
  return fromStandardInput ? pipedReader() : terminalReader();
}

function pipedReader(): SecretReader {
  let lines: string[] | undefined;
  return {
    ask: async (label) => {
      lines ??= (await readAll(process.stdin)).split(/\r?\n/);
      const line = lines.shift();
      if (line === undefined || line === '') throw usage(`standard input has no line for: ${label}`);
      return line;
    },
    agree: async () => false,
  };
}

function terminalReader(): SecretReader {
  return {
    ask: async (label, { confirm = false } = {}) => {
      requireTerminal(label);
      const secret = await question(`${label}: `, true);
      if (confirm && (await question(`${label} again: `, true)) !== secret) {
        throw usage('the two entries differ; start again');
      }
      return secret;
    },
    agree: (text) => agree(text, '--yes'),
  };
}

/** Whether the person at the terminal says yes. Throws CLI_USAGE, naming `flag`, when there is nobody to ask. */
export async function agree(text: string, flag: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw usage(`no terminal to ask: ${text} Use ${flag} to go on without asking`);
  return /^y(es)?$/i.test((await question(`${text} [y/N] `, false)).trim());
}

function requireTerminal(label: string): void {
  if (process.stdin.isTTY) return;
  throw usage(`no terminal to ask for: ${label}; pass it on standard input with --password-stdin`);
}

function usage(message: string): CodedError<'CLI_USAGE'> {
  return new CodedError('CLI_USAGE', message);
}

/** One line from the terminal; `hidden` swallows the echo after the prompt. */
async function question(prompt: string, hidden: boolean): Promise<string> {
  let muted = false;
  const output = new Writable({
    write: (chunk, _encoding, done) => {
      if (!muted) process.stderr.write(chunk);
      done();
    },
  });
  const terminal: Interface = createInterface({ input: process.stdin, output, terminal: true });
  try {
    const answered = new Promise<string>((resolve, reject) => {
      terminal.question(prompt, resolve);
      terminal.once('SIGINT', () => reject(usage('cancelled')));
    });
    muted = hidden;
    return await answered;
  } finally {
    if (hidden) process.stderr.write('\n');
    terminal.close();
  }
}
