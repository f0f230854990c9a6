import { readFile, writeFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import { CodedError } from '@chain/platform';
import type { Command } from 'commander';
import { findKey, findMultisig, openKeyring } from '../../ledger/accounts.ts';
import { openClient } from '../../ledger/nodeOption.ts';
import { outputOption } from '../../options.ts';
import { printJson } from '../../print.ts';
import { broadcast } from './broadcast.ts';
import { requireFrom, unlock } from './sendTransaction.ts';
import { findSigner } from './signer.ts';
import { addSendingFlags, addSigningFlags, type TxFlags } from './txFlags.ts';

interface SigningFlags extends TxFlags {
  /** Name or address of a key of several that the signer is a member of. */
  readonly multisig?: string;
  readonly outputDocument?: string;
}

/** Commands on transactions in files: sign, multisign, broadcast, encode, decode. */
export function addOfflineCommands(tx: Command): void {
  const document = '--output-document <file>';
  addSigningFlags(tx.command('sign').description('sign a transaction of --generate-only').argument('<file>'))
    .option('--multisig <key>', 'sign for this multisig key and print only the signature')
    .option(document, 'write the result to a file instead of printing it')
    .action(sign);
  addSigningFlags(
    tx
      .command('multisign')
      .alias('multi-sign')
      .description('combine the signatures of members into the signature of their multisig key')
      .argument('<file>')
      .argument('<key>', 'name or address of the key of several')
      .argument('<signatures...>', 'files that "tx sign --multisig" wrote'),
  )
    .option(document, 'write the result to a file instead of printing it')
    .action(multisign);
  addSendingFlags(
    tx
      .command('broadcast')
      .description('send a signed transaction')
      .argument('<file>', '"-" is standard input'),
  ).action(send);
  tx.command('encode').description('a transaction of a file as base64').argument('<file>').action(encode);
  tx.command('decode')
    .description('a transaction in base64 as JSON')
    .argument('<base64>')
    .addOption(outputOption())
    .action(decode);
}

async function read(file: string): Promise<Uint8Array> {
  const [{ transactionOfJson }, { openProtoSchema }] = await Promise.all([
    import('../../../client/index.ts'),
    import('../../../proto/index.ts'),
  ]);
  return transactionOfJson(await textOf(file), openProtoSchema(), nameOf(file));
}

const nameOf = (file: string): string => (file === '-' ? 'standard input' : file);

async function textOf(file: string): Promise<string> {
  if (file === '-') return readAll(process.stdin);
  return readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new CodedError('CLI_FILE', `${file} cannot be read (${cause.code ?? cause.message})`, { cause });
  });
}

async function sign(file: string, flags: SigningFlags): Promise<void> {
  const { client, schema } = await openClient(flags.node);
  const keyring = await openKeyring(flags.home);
  const key = await findKey(keyring, requireFrom(flags));
  const raw = await read(file);
  const account = flags.multisig === undefined ? key : await findMultisig(keyring, flags.multisig);
  const signer = await findSigner({ client, key: account }, flags);
  const { privateKey } = await unlock(key, flags);
  const { memberSignatureJson, signTransaction, transactionJson } = await import('../../../client/index.ts');
  const signing = { ...signer, privateKey, publicKey: key.publicKey };
  const result =
    flags.multisig === undefined
      ? transactionJson(signTransaction(raw, { ...signing, mode: flags.signMode }), schema)
      : memberSignatureJson(raw, signing, schema);
  await give(result, flags);
}

async function multisign(
  file: string,
  name: string,
  files: readonly string[],
  flags: SigningFlags,
): Promise<void> {
  const { client, schema } = await openClient(flags.node);
  const key = await findMultisig(await openKeyring(flags.home), name);
  const raw = await read(file);
  const { joinSignatures, memberSignatures, transactionJson } = await import('../../../client/index.ts');
  const texts = await Promise.all(files.map(async (from) => ({ from, text: await textOf(from) })));
  const given = texts.flatMap(({ from, text }) => memberSignatures(text, from, schema));
  const signer = await findSigner({ client, key }, flags);
  await give(transactionJson(joinSignatures(raw, { key, signer }, given), schema), flags);
}

async function give(result: unknown, { outputDocument }: SigningFlags): Promise<void> {
  if (outputDocument === undefined) printJson(result);
  else await writeFile(outputDocument, `${JSON.stringify(result, null, 2)}\n`);
}

async function send(file: string, flags: TxFlags): Promise<void> {
  const { client } = await openClient(flags.node);
  await broadcast(await read(file), client, flags);
}

async function encode(file: string): Promise<void> {
  console.log(Buffer.from(await read(file)).toString('base64'));
}

async function decode(base64: string): Promise<void> {
  const [{ transactionJson }, { openProtoSchema }] = await Promise.all([
    import('../../../client/index.ts'),
    import('../../../proto/index.ts'),
  ]);
  printJson(transactionJson(Buffer.from(base64, 'base64'), openProtoSchema()));
}
