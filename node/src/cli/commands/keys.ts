import { join } from 'node:path';
import { CodedError } from '@chain/platform';
import { type Command, Option } from 'commander';
import type { Keystore, KeystoreEntry, MultisigEntry } from '../../keys/index.ts';
import {
  bytesToHex,
  chainAddressOf,
  hexToBytes,
  toBech32,
  toChecksumAddress,
  toHexData,
} from '../../primitives/index.ts';
import { findParty } from '../ledger/accounts.ts';
import { homeOption, outputOption, parseCount } from '../options.ts';
import { type OutputFormat, printFields, printJson } from '../print.ts';
import { openSecretReader, type SecretReader } from '../secrets.ts';

interface KeysFlags {
  readonly home: string;
  readonly output: OutputFormat;
  readonly passwordStdin: boolean;
  readonly yes?: boolean;
  readonly from?: 'mnemonic' | 'private-key';
  /** Names or compressed public keys in hex, of members. */
  readonly multisig?: string;
  readonly multisigThreshold: number;
  readonly nosort: boolean;
}

const EXAMPLES = `
Keys are encrypted files in <home>/keyring that geth and ethers can read too. Secrets are asked for on the
terminal; with --password-stdin they are read from standard input, one a line, in the order of the questions.

Examples:
  chaind keys create alice
  chaind keys list --output json
  chaind keys import bob --from private-key --password-stdin < secrets.txt
  chaind keys add team --multisig alice,bob,carol --multisig-threshold 2
  chaind keys export alice`;

export function addKeysCommands(program: Command): void {
  const keys = program.command('keys').description('encrypted account keys').addHelpText('after', EXAMPLES);
  const secret = (command: Command): Command =>
    command
      .addOption(homeOption())
      .addOption(outputOption())
      .option('--password-stdin', 'read secrets from standard input', false);
  secret(
    keys
      .command('create')
      .alias('add')
      .description('create a key from a new phrase and print the phrase once, or create a multisig key')
      .argument('<name>'),
  )
    .option('--multisig <keys>', 'members by name or public key in hex, separated by commas')
    .addOption(
      new Option('--multisig-threshold <number>', 'how many of them must sign')
        .default(1)
        .argParser(parseCount),
    )
    .option('--nosort', 'keep the order of the members, which determines the address', false)
    .action(add);
  secret(keys.command('import').description('store a key made elsewhere').argument('<name>'))
    .addOption(
      new Option('--from <kind>', 'what is imported')
        .choices(['mnemonic', 'private-key'])
        .default('mnemonic'),
    )
    .action(importKey);
  secret(keys.command('export').description('print a private key, after asking').argument('<name>'))
    .option('--yes', 'do not ask')
    .action(exportKey);
  secret(keys.command('delete').description('delete a key, after asking').argument('<name>'))
    .option('--yes', 'do not ask')
    .action(deleteKey);
  keys
    .command('list')
    .description('names and addresses')
    .addOption(homeOption())
    .addOption(outputOption())
    .action(list);
}

async function open(
  flags: KeysFlags,
): Promise<{ store: Keystore; secrets: SecretReader; room: typeof import('../../keys/index.ts') }> {
  const room = await import('../../keys/index.ts');
  const store = room.openKeystore({ directory: join(flags.home, 'keyring') });
  return { store, room, secrets: openSecretReader(flags.passwordStdin) };
}

async function add(name: string, flags: KeysFlags): Promise<void> {
  const { store, secrets, room } = await open(flags);
  if (flags.multisig !== undefined) {
    const entry = await makeMultisig(name, flags, { store, room });
    await store.addMultisig(entry);
    return printFields(shownMultisig(entry), flags.output);
  }
  const password = await secrets.ask('Password', { confirm: true });
  const mnemonic = room.newMnemonic();
  const entry = await store.add(name, password, room.deriveAccounts({ mnemonic, count: 1 })[0]!.privateKey);
  printFields({ ...shown(entry), mnemonic }, flags.output);
  console.error('Write the phrase down and keep it safe: it is not stored and is not shown again.');
}

/** Members are put in the order of their addresses, as the SDK does, so that everybody makes the same address. */
async function makeMultisig(
  name: string,
  { multisig = '', multisigThreshold: threshold, nosort }: KeysFlags,
  { store, room }: { readonly store: Keystore; readonly room: typeof import('../../keys/index.ts') },
): Promise<MultisigEntry> {
  const members = multisig.split(',').map((it) => it.trim());
  const publicKeys = await Promise.all(members.map((member) => publicKeyOfMember(member, store)));
  const byAddress = (a: Uint8Array, b: Uint8Array) => Buffer.compare(chainAddressOf(a), chainAddressOf(b));
  const ordered = nosort ? publicKeys : publicKeys.toSorted(byAddress);
  return room.multisigEntry(name, { threshold, publicKeys: ordered });
}

async function publicKeyOfMember(member: string, store: Keystore): Promise<Uint8Array> {
  if (!/^(0x)?0[23][0-9a-fA-F]{64}$/.test(member)) return (await store.find(member)).publicKey;
  return hexToBytes(member);
}

async function importKey(name: string, flags: KeysFlags): Promise<void> {
  const { store, secrets, room } = await open(flags);
  const privateKey =
    flags.from === 'private-key'
      ? privateKeyOf(await secrets.ask('Private key'))
      : room.deriveAccounts({ mnemonic: await secrets.ask('Phrase'), count: 1 })[0]!.privateKey;
  const password = await secrets.ask('Password', { confirm: true });
  printFields(shown(await store.add(name, password, privateKey)), flags.output);
}

async function exportKey(name: string, flags: KeysFlags): Promise<void> {
  const { store, secrets } = await open(flags);
  await store.find(name);
  await confirm(secrets, flags, `Show the private key of "${name}" in clear?`);
  const { privateKey } = await store.unlock(name, await secrets.ask('Password'));
  printFields({ name, privateKey: toHexData(privateKey) }, flags.output);
}

async function deleteKey(name: string, flags: KeysFlags): Promise<void> {
  const { store, secrets } = await open(flags);
  await findParty(store, name);
  await confirm(secrets, flags, `Delete the key "${name}" for good?`);
  await store.delete(name);
  printFields({ deleted: name }, flags.output);
}

async function list(flags: KeysFlags): Promise<void> {
  const { store } = await open(flags);
  const entries = (await store.list()).map(shown);
  const multisigs = (await store.listMultisigs()).map(shownMultisig);
  if (flags.output === 'json') return printJson([...entries, ...multisigs]);
  for (const { name, evmAddress, chainAddress } of entries)
    console.log(`${name}  ${evmAddress}  ${chainAddress}`);
  for (const { name, chainAddress, threshold, publicKeys } of multisigs)
    console.log(`${name}  ${`${threshold} of ${publicKeys.length} keys`.padEnd(42)}  ${chainAddress}`);
  if (entries.length + multisigs.length === 0)
    console.error('no keys yet; make one with "chaind keys create <name>"');
}

async function confirm(secrets: SecretReader, flags: KeysFlags, question: string): Promise<void> {
  if (flags.yes === true) return;
  if (flags.passwordStdin)
    throw new CodedError('CLI_USAGE', 'with --password-stdin nobody can be asked; add --yes');
  if (!(await secrets.agree(question)))
    throw new CodedError('CLI_CANCELLED', 'cancelled; nothing was changed');
}

/** hexToBytes names what it was given, which here is a secret. */
function privateKeyOf(text: string): Uint8Array {
  return /^(0x)?[0-9a-fA-F]{64}$/.test(text.trim()) ? hexToBytes(text.trim()) : new Uint8Array(0);
}

function shown(entry: KeystoreEntry): {
  name: string;
  evmAddress: string;
  chainAddress: string;
  publicKey: string;
} {
  return {
    name: entry.name,
    evmAddress: toChecksumAddress(entry.evmAddress),
    chainAddress: toBech32(entry.chainAddress),
    publicKey: bytesToHex(entry.publicKey),
  };
}

function shownMultisig({ name, chainAddress, threshold, publicKeys }: MultisigEntry): {
  name: string;
  chainAddress: string;
  threshold: number;
  publicKeys: string[];
} {
  return { name, chainAddress: toBech32(chainAddress), threshold, publicKeys: publicKeys.map(bytesToHex) };
}
