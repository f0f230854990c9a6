import { type Command, Option } from 'commander';
import type { Answer, LedgerClient } from '../../../client/index.ts';
import { accountAddress } from '../../ledger/accounts.ts';
import { nodeOption, openClient } from '../../ledger/nodeOption.ts';
import { printShown, type Shown } from '../../ledger/shown.ts';
import { homeOption, outputOption, parseCount } from '../../options.ts';
import { type OutputFormat, printJson } from '../../print.ts';

export interface QueryFlags {
  readonly node: string;
  readonly home: string;
  readonly output: OutputFormat;
  readonly height?: number;
  readonly limit?: number;
  readonly offset?: number;
  readonly pageKey?: string;
  readonly reverse?: boolean;
  readonly [name: string]: unknown;
}

type Parameters = Readonly<Record<string, string | undefined>>;

/** A query that is one method of a service. */
export interface QueryCommand {
  /** Name and arguments: `balances <account>`. An `<account>` may be an address of either kind, or a key's name. */
  readonly usage: string;
  readonly about: string;
  readonly options?: readonly Option[];
  /** The answer is a page of a list. */
  readonly paged?: boolean;
  readonly method: string;
  parameters?(args: readonly string[], flags: QueryFlags): Parameters;
  show(answer: Answer, args: readonly string[]): Shown;
}

/** What a command asks and shows when it is more than one method. */
export interface FreeQuery extends Omit<QueryCommand, 'method' | 'parameters'> {
  ask(client: LedgerClient, args: readonly string[], flags: QueryFlags): Promise<Answer>;
}

export function addQuery(group: Command, query: QueryCommand | FreeQuery): void {
  const command = group
    .command(query.usage)
    .description(query.about)
    .addOption(nodeOption())
    .addOption(homeOption())
    .addOption(outputOption())
    .option('--height <height>', 'query the state after this block; the newest by default', parseCount);
  for (const option of query.options ?? []) command.addOption(option);
  if (query.paged) addPaging(command);
  command.action(async (...given: unknown[]) => {
    const flags = command.opts<QueryFlags>();
    const args = given.slice(0, command.registeredArguments.length).map((it) => (it ?? '') as string);
    const { client } = await openClient(flags.node);
    await runQuery(query, await named(args, { command, flags, client }), { flags, client });
  });
}

function addPaging(command: Command): void {
  command
    .option('--limit <count>', 'entries of one page', parseCount)
    .option('--offset <count>', 'entries to skip', parseCount)
    .addOption(new Option('--page-key <base64>', 'where the page before ended').conflicts('offset'))
    .option('--reverse', 'from the last entry backwards');
}

interface Run {
  readonly flags: QueryFlags;
  readonly client: LedgerClient;
}

/** Accounts as bech32, whatever they were called. */
async function named(
  args: readonly string[],
  { command, flags, client }: Run & { readonly command: Command },
): Promise<string[]> {
  const isAccount = (i: number) => ['account', 'delegator'].includes(command.registeredArguments[i]!.name());
  const { home } = flags;
  return Promise.all(
    args.map((text, i) => (isAccount(i) && text !== '' ? accountAddress(text, { client, home }) : text)),
  );
}

async function runQuery(
  query: QueryCommand | FreeQuery,
  args: readonly string[],
  { flags, client }: Run,
): Promise<void> {
  const answer =
    'ask' in query
      ? await query.ask(client, args, flags)
      : await client.query({
          method: query.method,
          parameters: { ...query.parameters?.(args, flags), ...(query.paged && pageOf(flags)) },
          height: flags.height,
        });
  if (flags.output === 'json') return printJson(answer);
  printShown(query.show(answer, args));
  const next = (answer.pagination as { readonly next_key?: string | null } | undefined)?.next_key;
  if (next) console.error(`there is more: --page-key ${next}`);
}

function pageOf({ limit, offset, pageKey, reverse }: QueryFlags): Parameters {
  return {
    'pagination.limit': limit?.toString(),
    'pagination.offset': offset?.toString(),
    'pagination.key': pageKey,
    'pagination.reverse': reverse ? 'true' : undefined,
  };
}
