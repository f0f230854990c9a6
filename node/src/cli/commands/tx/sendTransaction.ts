import { CodedError } from '@chain/platform';
import type { Coin } from 'cosmjs-types/cosmos/base/v1beta1/coin';
import type { LedgerClient, LedgerMessage, UnsignedTransaction } from '../../../client/index.ts';
import type { KeystoreEntry } from '../../../keys/index.ts';
import { toBech32 } from '../../../primitives/index.ts';
import { findParty, isMultisig, openKeyring, type SigningParty } from '../../ledger/accounts.ts';
import { openClient } from '../../ledger/nodeOption.ts';
import { coinsText } from '../../ledger/shown.ts';
import { printFields, printJson } from '../../print.ts';
import { agree, openSecretReader } from '../../secrets.ts';
import { broadcast } from './broadcast.ts';
import { findSigner, type Signer } from './signer.ts';
import type { TxFlags } from './txFlags.ts';

type ClientRoom = typeof import('../../../client/index.ts');

/** What a command needs to make its messages. */
export interface MessageScope {
  readonly client: LedgerClient;
  /** The room of client, loaded when it is needed. */
  readonly room: ClientRoom;
  readonly home: string;
  readonly offline: boolean;
  /** Who signs. */
  readonly key: SigningParty;
  /** Its bech32 address. */
  readonly from: string;
}

/** From messages to a transaction in a block, or as far as the flags want it. */
export async function sendTransaction(
  flags: TxFlags,
  makeMessages: (scope: MessageScope) => Promise<readonly LedgerMessage[]>,
): Promise<void> {
  const { client, schema } = await openClient(flags.node);
  const key = await findParty(await openKeyring(flags.home), requireFrom(flags));
  if (isMultisig(key) && !flags.dryRun && !flags.generateOnly) throw signsInSteps(key);
  const room = await import('../../../client/index.ts');
  const scope = {
    client,
    room,
    home: flags.home,
    offline: flags.offline,
    key,
    from: toBech32(key.chainAddress),
  };
  const messages = await makeMessages(scope);
  const signer = await findSigner(scope, flags);
  const draft = {
    messages,
    memo: flags.memo,
    timeoutHeight: BigInt(flags.timeoutHeight),
    gas: 0n,
    fee: [] as Coin[],
  };
  const simulates = flags.dryRun || flags.gas === 'auto';
  if (flags.offline && (simulates || !flags.generateOnly)) throw needsNode();
  const simulated = simulates ? await simulate(draft, signer, scope) : undefined;
  if (flags.dryRun) return printFields({ gas: simulated!.toString() }, flags.output);
  const gas = flags.gas === 'auto' ? withReserve(simulated!, flags.gasAdjustment) : flags.gas;
  const fee = room.feeOfGas(gas, flags, await leastPrices(client, flags));
  const transaction: UnsignedTransaction = { ...draft, gas, fee };
  const raw = room.unsignedBytes(transaction);
  if (flags.generateOnly) return printJson(room.transactionJson(raw, schema));
  if (isMultisig(key)) return;
  await confirm(room.transactionJson(raw, schema), { flags, gas, fee });
  const { privateKey } = await unlock(key, flags);
  const signing = { ...signer, privateKey, publicKey: key.publicKey, mode: flags.signMode };
  await broadcast(room.signTransaction(raw, signing), client, flags);
}

function needsNode(): CodedError<'CLI_USAGE'> {
  return new CodedError(
    'CLI_USAGE',
    '--offline asks no node: write --gas <number>, --fees <coins> and --generate-only with it',
  );
}

function signsInSteps({ name }: SigningParty): CodedError<'CLI_USAGE'> {
  return new CodedError(
    'CLI_USAGE',
    `"${name}" is a key of several: add --generate-only, let its members run "chaind tx sign --multisig ${name}", then "chaind tx multisign"`,
  );
}

async function simulate(
  draft: UnsignedTransaction,
  { sequence }: Signer,
  { client, room, key }: Pick<MessageScope, 'client' | 'room' | 'key'>,
): Promise<bigint> {
  const signer = isMultisig(key)
    ? room.multisigSignerInfo(key, sequence, [...key.publicKeys.keys()].slice(0, key.threshold))
    : room.signerInfo(key.publicKey, sequence, 'direct');
  const { gas_info: info } = await client.query<{ gas_info: { gas_used: string } }>({
    method: 'cosmos.tx.v1beta1.Service/Simulate',
    parameters: { tx_bytes: Buffer.from(room.unsignedBytes(draft, signer)).toString('base64') },
  });
  return BigInt(info.gas_used);
}

function withReserve(gas: bigint, factor: number): bigint {
  return (gas * BigInt(Math.round(factor * 1000)) + 999n) / 1000n;
}

/** The node's own prices, unless the person has said what to pay. */
async function leastPrices(client: LedgerClient, { fees, gasPrices, offline }: TxFlags): Promise<string> {
  if (fees !== undefined || gasPrices !== undefined || offline) return '';
  const config = await client.query<{ minimum_gas_price: string }>({
    method: 'cosmos.base.node.v1beta1.Service/Config',
  });
  return config.minimum_gas_price;
}

async function confirm(
  json: unknown,
  { flags, gas, fee }: { readonly flags: TxFlags; readonly gas: bigint; readonly fee: readonly Coin[] },
): Promise<void> {
  if (flags.yes) return;
  if (flags.passwordStdin) {
    throw new CodedError('CLI_USAGE', 'with --password-stdin nobody can be asked; add --yes');
  }
  console.error(JSON.stringify((json as { body: unknown }).body, null, 2));
  const question = `Sign and send this for ${coinsText(fee)} (gas limit ${gas})?`;
  if (!(await agree(question, '--yes'))) throw new CodedError('CLI_CANCELLED', 'cancelled; nothing was sent');
}

export async function unlock(key: KeystoreEntry, flags: Pick<TxFlags, 'home' | 'passwordStdin'>) {
  const password = await openSecretReader(flags.passwordStdin).ask(`Password of "${key.name}"`);
  return (await openKeyring(flags.home)).unlock(key.name, password);
}

export function requireFrom({ from }: Pick<TxFlags, 'from'>): string {
  if (from !== undefined) return from;
  throw new CodedError('CLI_USAGE', 'nobody signs: add --from <key>; "chaind keys list" shows the keys');
}
