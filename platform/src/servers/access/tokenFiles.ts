import { createHash } from 'node:crypto';
import { CodedError } from '../../errors.ts';

const SECRET_BYTES = 32;
const HASHED = /^sha256:([0-9a-f]{64})$/i;
const KEY = /^[\w.~+/=-]{16,4096}$/;
const MAX_KEYS = 1000;

/** geth's form: 32 bytes in hex, with `0x` or without. Throws ACCESS_FILE_MALFORMED, which says nothing of the text. */
export function readJwtSecret(path: string, file: Buffer): Buffer {
  const hex = /^(?:0x)?([0-9a-f]{64})$/i.exec(file.toString('latin1').trim())?.[1];
  if (hex === undefined)
    throw malformed(path, `no ${SECRET_BYTES} bytes in hex; make it by "openssl rand -hex 32"`);
  return Buffer.from(hex, 'hex');
}

/**
 * The hashes of a list of API keys: one a line, itself or as `sha256:` and its SHA-256 in hex; `#` begins a comment.
 * Throws ACCESS_FILE_MALFORMED, which says nothing of the text.
 */
export function readApiKeys(path: string, file: Buffer): Buffer[] {
  const hashes: Buffer[] = [];
  for (const [index, line] of file.toString('latin1').split('\n').entries()) {
    const entry = line.replace(/#.*$/, '').trim();
    if (entry === '') continue;
    const hash = HASHED.exec(entry)?.[1];
    if (hash === undefined && !KEY.test(entry)) {
      throw malformed(
        path,
        `line ${index + 1} is no key: write 16 or more of A-Z a-z 0-9 - _ . ~ + / =, or sha256: and 64 hex digits`,
      );
    }
    hashes.push(hash === undefined ? createHash('sha256').update(entry).digest() : Buffer.from(hash, 'hex'));
  }
  if (hashes.length === 0 || hashes.length > MAX_KEYS) throw malformed(path, `wants 1 to ${MAX_KEYS} keys`);
  return hashes;
}

function malformed(path: string, problem: string): CodedError {
  return new CodedError('ACCESS_FILE_MALFORMED', `${path}: ${problem}`, { fields: { path } });
}
