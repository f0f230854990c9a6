import { createSecureContext } from 'node:tls';
import { type Clock, systemClock } from '../../clock.ts';
import { CodedError } from '../../errors.ts';
import { Lifecycle } from '../../lifecycle.ts';
import type { Logger } from '../../logger.ts';
import { admitsToken, type TokenSecrets } from './accessTokens.ts';
import { readApiKeys, readJwtSecret } from './tokenFiles.ts';
import { WatchedFiles } from './watchedFiles.ts';

/** Paths; an empty or absent one leaves its part off. */
export interface AccessOptions {
  /** Certificate and chain in PEM, and its key; both or none. */
  readonly certificateFile?: string;
  readonly keyFile?: string;
  /** 32 bytes in hex, the HS256 secret of JWTs. */
  readonly jwtSecretFile?: string;
  /** A list of API keys or of their hashes. */
  readonly apiKeysFile?: string;
  /** How often the files are looked at, in ms. */
  readonly checkIntervalMs?: number;
}

/** A certificate and its key, the newest that could be used. */
export interface TlsSource {
  readonly current: { readonly cert: Buffer; readonly key: Buffer };
  /** Called with each later one. */
  onChange(listener: (pair: TlsSource['current']) => void): void;
}

/** What a listener asks of who comes; without settings it is empty, and everybody may come in plain text. */
export interface Access {
  readonly tls?: TlsSource | undefined;
  readonly admits?: ((authorization: string | undefined) => boolean) | undefined;
}

const CHECK_INTERVAL_MS = 10_000;

/**
 * Reads the files of a listener and follows them as they change, so that a certificate is renewed and a key withdrawn
 * without a restart (spec N-8). Throws ACCESS_FILE_UNREADABLE, ACCESS_FILE_MALFORMED, ACCESS_TLS_INCOMPLETE; contents are in no
 * error and no log.
 */
export async function openAccess(
  options: AccessOptions,
  deps: { readonly logger: Logger; readonly clock?: Clock },
): Promise<Access & { close(): Promise<void> }> {
  const opened = new Lifecycle();
  try {
    const tls = await openTls(options, opened, deps);
    const admits = await openTokens(options, opened, deps);
    return { tls, admits, close: () => opened.close() };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function openTls(
  { certificateFile = '', keyFile = '', checkIntervalMs = CHECK_INTERVAL_MS }: AccessOptions,
  opened: Lifecycle,
  { logger }: { readonly logger: Logger },
): Promise<TlsSource | undefined> {
  if (certificateFile === '' && keyFile === '') return undefined;
  if (certificateFile === '' || keyFile === '') {
    throw new CodedError(
      'ACCESS_TLS_INCOMPLETE',
      'TLS wants a certificate file and a key file; name both or none',
      {
        fields: { certificateFile, keyFile },
      },
    );
  }
  const listeners: ((pair: TlsSource['current']) => void)[] = [];
  let current: TlsSource['current'] | undefined;
  const use = ([cert, key]: readonly Buffer[]): void => {
    const pair = usablePair(certificateFile, keyFile, { cert: cert!, key: key! });
    current = pair;
    for (const listener of listeners) listener(pair);
  };
  opened.own(
    await WatchedFiles.open({ paths: [certificateFile, keyFile], checkIntervalMs }, { logger, use }),
  );
  return {
    get current() {
      return current!;
    },
    onChange: (listener) => void listeners.push(listener),
  };
}

/** The two are written one after another: a pair that does not match is not there yet. */
function usablePair(
  certificateFile: string,
  keyFile: string,
  pair: TlsSource['current'],
): TlsSource['current'] {
  try {
    createSecureContext(pair);
    return pair;
  } catch (error) {
    const reason = (error as { code?: string }).code ?? 'not understood';
    throw new CodedError(
      'ACCESS_FILE_MALFORMED',
      `${certificateFile} and ${keyFile} are no certificate in PEM with its key (${reason})`,
      { fields: { certificateFile, keyFile, reason } },
    );
  }
}

async function openTokens(
  { jwtSecretFile = '', apiKeysFile = '', checkIntervalMs = CHECK_INTERVAL_MS }: AccessOptions,
  opened: Lifecycle,
  { logger, clock = systemClock }: { readonly logger: Logger; readonly clock?: Clock },
): Promise<Access['admits']> {
  let secrets: TokenSecrets = {};
  const follow = async (path: string, read: (file: Buffer) => TokenSecrets): Promise<void> => {
    const use = ([file]: readonly Buffer[]): void => {
      secrets = { ...secrets, ...read(file!) };
    };
    opened.own(await WatchedFiles.open({ paths: [path], checkIntervalMs }, { logger, use }));
  };
  if (jwtSecretFile !== '') {
    await follow(jwtSecretFile, (file) => ({ jwtSecret: readJwtSecret(jwtSecretFile, file) }));
  }
  if (apiKeysFile !== '') {
    await follow(apiKeysFile, (file) => ({ apiKeyHashes: readApiKeys(apiKeysFile, file) }));
  }
  if (jwtSecretFile === '' && apiKeysFile === '') return undefined;
  return (authorization) => admitsToken(authorization, secrets, clock.now());
}
