import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import type { Command } from 'commander';
import { findKey, openKeyring } from '../../ledger/accounts.ts';
import { openClient } from '../../ledger/nodeOption.ts';
import { outputOption } from '../../options.ts';
import { printJson } from '../../print.ts';
import { broadcast } from './broadcast.ts';
import { requireFrom, unlock } from './sendTransaction.ts';
import { findSigner } from './signer.ts';
import { addSendingFlags, addSigningFlags, type TxFlags } from './txFlags.ts';

/** Commands on transactions in files: sign, broadcast, encode, decode. */
export function addOfflineCommands(tx: Command): void {
  addSigningFlags(
    tx.command('sign').description('sign a transaction of --generate-only').argument('<file>'),
  ).action(sign);
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
  const text = file === '-' ? await readAll(process.stdin) : await readFile(file, 'utf8');
  return transactionOfJson(text, openProtoSchema(), file === '-' ? 'standard input' : file);
}

async function sign(file: string, flags: TxFlags): Promise<void> {
  const { client, schema } = await openClient(flags.node);
  const key = await findKey(await openKeyring(flags.home), requireFrom(flags));
  const raw = await read(file);
  const signer = await findSigner({ client, key }, flags);
  const { privateKey } = await unlock(key, flags);
  const { signTransaction, transactionJson } = await import('../../../client/index.ts');
  printJson(transactionJson(signTransaction(raw, { ...signer, privateKey }), schema));
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
