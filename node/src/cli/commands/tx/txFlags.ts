import { type Command, InvalidArgumentError, Option } from 'commander';
import { nodeOption } from '../../ledger/nodeOption.ts';
import { homeOption, outputOption, parseCount } from '../../options.ts';
import type { OutputFormat } from '../../print.ts';

/** Flags of every command that makes a transaction. */
export interface TxFlags {
  readonly home: string;
  readonly node: string;
  readonly output: OutputFormat;
  /** Name or address of the key that signs. */
  readonly from?: string;
  readonly chainId?: string;
  readonly fees?: string;
  readonly gasPrices?: string;
  /** A number, or `auto`. */
  readonly gas: bigint | 'auto';
  readonly gasAdjustment: number;
  readonly memo: string;
  readonly timeoutHeight: number;
  readonly accountNumber?: number;
  readonly sequence?: number;
  readonly broadcastMode: 'sync' | 'async' | 'commit';
  readonly generateOnly: boolean;
  readonly dryRun: boolean;
  readonly yes: boolean;
  readonly passwordStdin: boolean;
  readonly signMode: 'direct' | 'amino-json';
  readonly offline: boolean;
}

export function addTxFlags(command: Command): Command {
  return addSigningFlags(command)
    .addOption(new Option('--fees <coins>', 'what is paid in all, such as 4000usei').conflicts('gasPrices'))
    .option('--gas-prices <prices>', 'price of one gas, such as 0.02usei; the node’s least price by default')
    .addOption(
      new Option('--gas <limit>', 'gas limit; auto simulates the transaction first')
        .default('auto')
        .argParser(parseGas),
    )
    .addOption(
      new Option('--gas-adjustment <factor>', 'with --gas auto: limit = simulated gas × factor')
        .default(1.4)
        .argParser(parseFactor),
    )
    .option('--memo <text>', 'public note', '')
    .option('--timeout-height <height>', 'last block that may include it; 0 sets no limit', parseCount, 0)
    .option('--generate-only', 'print the unsigned transaction as JSON, for "chaind tx sign"', false)
    .addOption(
      new Option('--dry-run', 'print the gas that it would take, and stop')
        .default(false)
        .conflicts('generateOnly'),
    );
}

/** Those of signing and sending. */
export function addSigningFlags(command: Command): Command {
  return addSendingFlags(command)
    .addOption(homeOption())
    .option('--from <key>', 'name or address of the signing key in the home')
    .option('--chain-id <id>', 'id of the chain to sign for; that of the node by default')
    .option('--account-number <number>', 'of the signer, instead of asking the node', parseCount)
    .option('--sequence <number>', 'of the signer, instead of asking the node', parseCount)
    .addOption(
      new Option('--sign-mode <mode>', 'what is signed: the bytes, or JSON as hardware wallets show it')
        .choices(['direct', 'amino-json'])
        .default('direct'),
    )
    .option('--offline', 'contact no node; give its values as options', false)
    .option('--yes', 'do not ask before sending', false)
    .option('--password-stdin', 'read the password from standard input', false);
}

export function addSendingFlags(command: Command): Command {
  return command
    .addOption(nodeOption())
    .addOption(outputOption())
    .addOption(
      new Option('--broadcast-mode <mode>', 'wait for CheckTx, for nothing, or for the block')
        .choices(['sync', 'async', 'commit'])
        .default('sync'),
    );
}

function parseGas(text: string): bigint | 'auto' {
  if (text === 'auto') return text;
  if (!/^[1-9]\d{0,17}$/.test(text)) throw new InvalidArgumentError('Want auto, or a whole number above 0.');
  return BigInt(text);
}

function parseFactor(text: string): number {
  const factor = Number(text);
  if (!(factor >= 1 && factor <= 100))
    throw new InvalidArgumentError('Want a number from 1 to 100, such as 1.5.');
  return factor;
}
