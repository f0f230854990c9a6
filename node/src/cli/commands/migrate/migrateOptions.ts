import { KEPT_BACKUPS } from '@chain/platform/contract';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { PreflightWish } from '../../../migrate/index.ts';
import { homeOption, jsonOption, outputOption, parseCount } from '../../options.ts';
import type { OutputFormat } from '../../print.ts';
import { STEP_NAMES } from './stepNames.ts';

export interface MigrateFlags {
  readonly sealKeysTo?: Uint8Array;
  readonly home: string;
  readonly trustedRpc: readonly string[];
  readonly allowSingleRpc: boolean;
  readonly delta: number;
  readonly backend: 'pebbledb' | 'rocksdb' | undefined;
  readonly peers: readonly string[];
  readonly assumeSnapshots: boolean;
  readonly resync: boolean;
  readonly stopCommand?: string;
  readonly startCommand?: string;
  readonly syncTimeout: number;
  readonly yes: boolean;
  readonly into?: 'split' | 'single';
  readonly id?: string;
  readonly hold: boolean;
  readonly rotate?: number;
  readonly keepBackups?: number;
  readonly backupDigest?: string;
  readonly resultFile?: string;
  readonly output: OutputFormat;
  readonly nodeRpc?: string;
  readonly nodeJsonRpc?: string;
}

/** The options of `migrate evm-split`. */
export function addOptions(command: Command): Command {
  return command
    .addOption(homeOption())
    .option(
      '--trusted-rpc <url>',
      'consensus RPC that is trusted, such as http://rpc.example:26657; name two or more',
      (url: string, all: readonly string[]) => [...all, ...url.split(',').map((it) => it.trim())],
      [],
    )
    .option('--allow-single-rpc', 'trust a single RPC', false)
    .option('--delta <blocks>', 'distance of the trusted block below the newest', parseCount, 10_000)
    .addOption(
      new Option('--backend <name>', 'database of the new stores; the present one by default').choices([
        'pebbledb',
        'rocksdb',
      ]),
    )
    .option(
      '--peers <id@host:port,…>',
      'peers to sync from, beside the trusted servers and their peers',
      parsePeers,
      [],
    )
    .option('--assume-snapshots', 'continue even if no trusted RPC has a snapshot', false)
    .option('--resync', 'migrate even if the split is already set', false)
    .addOption(
      new Option('--into <layout>', 'split, or single: back into one store').choices(['split', 'single']),
    )
    .option('--id <id>', 'name of the migration; its completed steps are not repeated', parseId)
    .option(
      '--hold',
      'keep the node from starting between the steps "stop" and "seal", also while no step runs',
      false,
    )
    .option(
      '--rotate <turns>',
      'other peers, and another trusted RPC first, than at the first try',
      parseCount,
    )
    .option(
      '--keep-backups <count>',
      `whole backups that stay in the home at the end, the newest among them; ${KEPT_BACKUPS} by default`,
      parseKept,
    )
    .option('--backup-digest <sha256>', 'delete nothing unless the backup has this digest', parseDigest)
    .option(
      '--seal-keys-to <key>',
      'into the result file, for the holder of this X25519 key, base64',
      parseKey,
    )
    .option('--result-file <path>', 'also write the result to this file, as JSON of at most 4 KiB')
    .option(
      '--node-rpc <url>',
      'consensus RPC of the node, if verify cannot reach the address in its settings',
    )
    .option(
      '--node-json-rpc <url>',
      'JSON-RPC of the node, if verify cannot reach the address in its settings',
    )
    .option('--stop-command <command>', 'command that stops the node; the control socket by default')
    .option('--start-command <command>', 'command that starts the node again and returns')
    .option(
      '--sync-timeout <minutes>',
      'give up when the sync makes no progress for this time',
      parseCount,
      20,
    )
    .option('-y, --yes', 'do not ask before data is deleted', false)
    .addOption(outputOption())
    .addOption(jsonOption());
}

export function wishOf(flags: MigrateFlags): PreflightWish {
  const { trustedRpc, allowSingleRpc, delta, backend, peers, assumeSnapshots, resync, into, hold } = flags;
  return {
    trustedRpcs: trustedRpc,
    allowSingleRpc,
    delta,
    peers,
    assumeSnapshots,
    resync,
    ...(into && { into }),
    ...(hold && { hold }),
    ...(flags.id !== undefined && { id: flags.id }),
    ...(flags.rotate !== undefined && { rotate: flags.rotate }),
    ...(flags.keepBackups !== undefined && { keepBackups: flags.keepBackups }),
    ...(backend && { backend }),
    ...(flags.stopCommand !== undefined && { stopCommand: flags.stopCommand }),
    ...(flags.startCommand !== undefined && { startCommand: flags.startCommand }),
  };
}

function parseKept(text: string): number {
  const count = parseCount(text);
  if (count > 0) return count;
  throw new InvalidArgumentError('Want 1 or more: the newest one always stays.');
}

function parseKey(text: string): Uint8Array {
  const key = Buffer.from(text, 'base64');
  if (key.length === 32) return key;
  throw new InvalidArgumentError('Want 32 bytes in base64.');
}

export function parseStep(text: string, before: readonly string[] = []): readonly string[] {
  if (STEP_NAMES.some((name) => name === text)) return [...before, text];
  throw new InvalidArgumentError(`Want one of ${STEP_NAMES.join(', ')}.`);
}

function parseId(text: string): string {
  if (/^[a-z0-9][-a-z0-9]{0,62}$/.test(text)) return text;
  throw new InvalidArgumentError('Want lower-case letters, digits and dashes, at most 63.');
}

function parseDigest(text: string): string {
  if (/^[0-9a-f]{64}$/.test(text)) return text;
  throw new InvalidArgumentError('Want 64 hex digits.');
}

function parsePeers(text: string, all: readonly string[]): string[] {
  const peers = text.split(',').map((it) => it.trim());
  if (peers.every((peer) => /^[0-9a-f]{40}@[^@\s]+:\d{1,5}$/.test(peer))) return [...all, ...peers];
  throw new InvalidArgumentError('Want id@host:port, with the 40 hex digits of the node id.');
}
