import type { Command } from 'commander';
import type { LedgerMessage } from '../../../client/index.ts';
import { type MessageScope, sendTransaction } from './sendTransaction.ts';
import { addTxFlags, type TxFlags } from './txFlags.ts';

export type OwnFlags = Readonly<Record<string, string | undefined>>;

/** A command that makes a transaction. */
export interface TxCommand {
  /** Name and arguments: `delegate <validator> <amount>`. */
  readonly usage: string;
  readonly about: string;
  /** Who signs, where an argument says it in place of `--from`. */
  from?(args: readonly string[]): string | undefined;
  /** Adds the command's own options. */
  options?(command: Command): void;
  messages(
    scope: MessageScope,
    args: readonly string[],
    flags: OwnFlags,
  ): readonly LedgerMessage[] | Promise<readonly LedgerMessage[]>;
}

export function addTransaction(group: Command, { usage, about, options, from, messages }: TxCommand): void {
  const command = group.command(usage).description(about);
  options?.(command);
  addTxFlags(command).action(async (...given: unknown[]) => {
    const args = given
      .slice(0, command.registeredArguments.length)
      .flatMap((it) => (it === undefined ? [] : [String(it)]));
    const named = from?.(args);
    const flags = { ...command.opts<TxFlags>(), ...(named !== undefined && { from: named }) };
    await sendTransaction(flags, async (scope) => messages(scope, args, command.opts()));
  });
}
