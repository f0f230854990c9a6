import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CodedError, messageOf } from '@chain/platform';

export interface GenesisFlags {
  /** A path, or a URL. */
  readonly genesis?: string;
  /** Hex. */
  readonly genesisSha256?: string;
}

export interface FetchedGenesis {
  readonly path: string;
  remove(): Promise<void>;
}

const TIME_LIMIT_MS = 600_000;

export const isUrl = (text: string): boolean => /^https?:\/\//.test(text);

/** The digest that a genesis must have. Throws CONFIG_GENESIS_DIGEST for a URL without one, and for what is none. */
export function wantedDigest({ genesis, genesisSha256 }: GenesisFlags): string | undefined {
  if (genesisSha256 === undefined) {
    if (genesis === undefined || !isUrl(genesis)) return undefined;
    throw digestError(
      `${genesis} could become another file; add --genesis-sha256 with the digest of the right one`,
    );
  }
  if (/^[0-9a-fA-F]{64}$/.test(genesisSha256)) return genesisSha256.toLowerCase();
  throw digestError(`"${genesisSha256}" is no SHA-256; write its 64 hex digits`);
}

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** A genesis as a local file, with the wanted digest. Throws CONFIG_GENESIS_DIGEST, CONFIG_GENESIS_FETCH. */
export async function fetchGenesis(flags: GenesisFlags): Promise<FetchedGenesis | undefined> {
  const { genesis } = flags;
  const digest = wantedDigest(flags);
  if (genesis === undefined) return undefined;
  if (!isUrl(genesis)) {
    if (digest !== undefined) requireDigest(genesis, await readFile(genesis), digest);
    return { path: genesis, remove: async () => undefined };
  }
  const bytes = await download(genesis);
  requireDigest(genesis, bytes, digest!);
  const directory = await mkdtemp(join(tmpdir(), 'genesis-'));
  const path = join(directory, 'genesis.json');
  await writeFile(path, bytes);
  return { path, remove: () => rm(directory, { recursive: true }) };
}

async function download(url: string): Promise<Uint8Array> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIME_LIMIT_MS) });
    if (response.ok) return new Uint8Array(await response.arrayBuffer());
    throw new CodedError('CONFIG_GENESIS_FETCH', `HTTP ${response.status}`);
  } catch (cause) {
    const { cause: deeper } = cause as Error;
    throw new CodedError(
      'CONFIG_GENESIS_FETCH',
      `${url} cannot be fetched: ${messageOf(deeper ?? cause)}; correct the address, or give a file`,
      { fields: { url }, cause },
    );
  }
}

function requireDigest(source: string, bytes: Uint8Array, wanted: string): void {
  const found = sha256Of(bytes);
  if (found === wanted) return;
  throw digestError(
    `${source} has the SHA-256 ${found}, and ${wanted} is wanted; find out which genesis is your chain's`,
  );
}

function digestError(message: string): CodedError {
  return new CodedError('CONFIG_GENESIS_DIGEST', message);
}
