import { readFile } from 'node:fs/promises';
import { CodedError, parseJson } from '@chain/platform';
import { equalBytes } from '../primitives/index.ts';
import { type Ed25519Key, ed25519FromSeed } from './ed25519.ts';

const PRIVATE_KEY_TYPE = 'tendermint/PrivKeyEd25519';
export const PUBLIC_KEY_TYPE = 'tendermint/PubKeyEd25519';

/** What a key file says, without any of its secret. */
export function keyFileError(
  path: string,
  problem: string,
  cause?: unknown,
): CodedError<'KEYS_FILE_INVALID'> {
  return new CodedError('KEYS_FILE_INVALID', `${path}: ${problem}`, { fields: { path }, cause });
}

/** A JSON object. Throws KEYS_FILE_INVALID; a syntax error is told without the text around it. */
export async function readKeyFile(path: string): Promise<Record<string, unknown>> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code ?? 'unreadable';
    throw keyFileError(path, `cannot be read (${reason}); restore it from your backup`, cause);
  }
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    throw keyFileError(path, 'is not JSON; restore it from your backup');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw keyFileError(path, 'is not a JSON object; restore it from your backup');
  }
  return value as Record<string, unknown>;
}

export function privateKeyJson(key: Ed25519Key): { type: string; value: string } {
  return { type: PRIVATE_KEY_TYPE, value: Buffer.from(key.secret).toString('base64') };
}

/** Reads `priv_key` and checks that its two halves belong together. */
export function parsePrivateKey(path: string, value: unknown): Ed25519Key {
  const { type, value: text } = (value ?? {}) as { type?: unknown; value?: unknown };
  if (type !== PRIVATE_KEY_TYPE || typeof text !== 'string') {
    throw keyFileError(path, `priv_key must have type "${PRIVATE_KEY_TYPE}" and a base64 value`);
  }
  const secret = Buffer.from(text, 'base64');
  if (secret.length !== 64) throw keyFileError(path, `priv_key has ${secret.length} bytes, want 64`);
  const key = ed25519FromSeed(secret.subarray(0, 32));
  if (!equalBytes(key.publicKey, secret.subarray(32))) {
    throw keyFileError(path, 'priv_key holds a public half that is not its own; restore it from your backup');
  }
  return key;
}
