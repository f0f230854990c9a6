import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { parseJson } from '../../json/parseJson.ts';

/** What listeners compare tokens with; none of it is told to anybody. */
export interface TokenSecrets {
  /** Of HS256. */
  readonly jwtSecret?: Buffer | undefined;
  /** SHA-256 of each key, 32 bytes. */
  readonly apiKeyHashes?: readonly Buffer[] | undefined;
}

const BEARER = /^Bearer +([\w.~+/=-]{1,4096})$/i;
const JWT = /^([\w-]+)\.([\w-]+)\.([\w-]{43})$/;
/** As geth's authrpc: clocks differ, and a token that somebody read is worth nothing soon. */
const ISSUED_WITHIN_S = 60;

/** Whether an `Authorization` header brings an API key that is known, or a JWT of the secret that was issued just now. */
export function admitsToken(
  authorization: string | undefined,
  { jwtSecret, apiKeyHashes }: TokenSecrets,
  nowMs: number,
): boolean {
  const token = BEARER.exec(authorization ?? '')?.[1];
  if (token === undefined) return false;
  if (apiKeyHashes && isKnownKey(token, apiKeyHashes)) return true;
  return jwtSecret !== undefined && isFreshJwt(token, jwtSecret, nowMs);
}

/** Every hash is compared, whichever matches: the time says nothing of keys. */
function isKnownKey(key: string, hashes: readonly Buffer[]): boolean {
  const hash = createHash('sha256').update(key).digest();
  let isKnown = false;
  for (const known of hashes) isKnown = timingSafeEqual(known, hash) || isKnown;
  return isKnown;
}

function isFreshJwt(token: string, secret: Buffer, nowMs: number): boolean {
  const [, header, claims, signature] = JWT.exec(token) ?? [];
  if (header === undefined || claims === undefined || signature === undefined) return false;
  const wanted = createHmac('sha256', secret).update(`${header}.${claims}`).digest();
  const given = Buffer.from(signature, 'base64url');
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return false;
  if (objectIn(header)?.alg !== 'HS256') return false;
  const { iat, exp, nbf } = objectIn(claims) ?? {};
  const now = nowMs / 1000;
  if (typeof iat !== 'number' || !(Math.abs(now - iat) <= ISSUED_WITHIN_S)) return false;
  return isTimeOr(exp, (time) => now < time) && isTimeOr(nbf, (time) => now >= time);
}

function isTimeOr(claim: unknown, holds: (time: number) => boolean): boolean {
  return claim === undefined || (typeof claim === 'number' && holds(claim));
}

function objectIn(part: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = parseJson(Buffer.from(part, 'base64url').toString());
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
