import type { Command } from 'commander';
import type { FileMigration } from '../../config/index.ts';
import { addSetOption, homeOption, outputOption } from '../options.ts';
import { type OutputFormat, printJson, printWarnings } from '../print.ts';
import { agree } from '../secrets.ts';

interface ConfigFlags {
  readonly home: string;
  readonly output: OutputFormat;
  readonly set: Readonly<Record<string, string>>;
}

const EXAMPLES = `
Examples:
  chaind config validate
  chaind config show --output json
  CHAIND_STATE_STORE_SS_KEEP_RECENT=0 chaind config show
  chaind config migrate                   upgrade files of an older release, after showing what changes
  chaind config chain-info --rpc https://rpc.example.com --rest https://api.example.com
  chaind config keys                      every key with default, rule and meaning, as Markdown`;

export function addConfigCommands(program: Command): void {
  const config = program
    .command('config')
    .description('show, check and upgrade app.toml and config.toml')
    .addHelpText('after', EXAMPLES);
  const show = config
    .command('show')
    .description('print the settings that a start would use')
    .action(showConfig);
  const validate = config.command('validate').description('check both files').action(validateConfig);
  for (const command of [show, validate])
    addSetOption(command.addOption(homeOption()).addOption(outputOption()));
  config
    .command('migrate')
    .description('upgrade app.toml and config.toml of an older release; shows the changes and asks')
    .addOption(homeOption())
    .option('--yes', 'do not ask', false)
    .action(migrateConfig);
  config
    .command('chain-info')
    .description('print the chain description that Keplr and similar wallets import')
    .addOption(homeOption())
    .option('--rpc <url>', 'address of the consensus RPC for wallets; the listen address by default')
    .option('--rest <url>', 'address of REST for wallets')
    .option('--evm-rpc <url>', 'address of JSON-RPC for wallets')
    .option('--chain-name <name>', 'display name; the chain id by default')
    .option('--evm', 'describe the EVM side, which wallets add as a separate chain', false)
    .action(printChainInfo);
  config.command('keys').description('print the reference of all keys').action(printReference);
}

async function load({ home, set }: ConfigFlags) {
  const { loadConfig } = await import('../../config/index.ts');
  return loadConfig({ home, environment: process.env, flags: set });
}

async function showConfig(flags: ConfigFlags): Promise<void> {
  const { home, app, comet, warnings } = await load(flags);
  printWarnings(warnings);
  if (flags.output === 'json') return printJson({ home, app, config: comet });
  const { APP_TABLE } = await import('../../config/index.ts');
  const { eachSetting, settingName } = await import('@chain/platform/settings');
  const values: Readonly<Record<string, Readonly<Record<string, unknown>>>> = app;
  for (const [section, key, setting] of eachSetting(APP_TABLE)) {
    const value = values[section]?.[key];
    console.log(`${settingName(section, key)} = ${setting.format(value).replaceAll(/\s*\n\s*/g, ' ')}`);
  }
}

async function validateConfig(flags: ConfigFlags): Promise<void> {
  const { home, warnings } = await load(flags);
  printWarnings(warnings);
  if (flags.output === 'json') return printJson({ home, valid: true, warnings });
  console.log(`${home}: configuration is valid`);
}

async function migrateConfig({ home, yes }: { readonly home: string; readonly yes: boolean }): Promise<void> {
  const { loadConfig, planMigration, writeMigration } = await import('../../config/index.ts');
  const plan = await planMigration(home);
  if (plan.length === 0) {
    console.log(`${home}: nothing to migrate`);
    return;
  }
  for (const migration of plan) printChanges(migration);
  if (!(yes || (await agree('Write these changes?', '--yes')))) {
    console.log('nothing was written');
    process.exitCode = 1;
    return;
  }
  for (const backup of await writeMigration(plan)) console.log(`kept the old file as ${backup}`);
  printWarnings((await loadConfig({ home })).warnings);
  console.log(`${home}: configuration is migrated and valid`);
}

function printChanges({ path, changes }: FileMigration): void {
  console.log(path);
  for (const { line, section, before, after, why } of changes) {
    console.log(`@@ line ${line}${section === '' ? '' : `, [${section}]`}: ${why}`);
    for (const text of before) console.log(`- ${text}`);
    for (const text of after) console.log(`+ ${text}`);
  }
}

async function printChainInfo(options: {
  readonly home: string;
  readonly rpc?: string;
  readonly rest?: string;
  readonly evmRpc?: string;
  readonly chainName?: string;
  readonly evm: boolean;
}): Promise<void> {
  const { chainInfo, evmChainInfo } = await import('../../app/index.ts');
  printJson(await (options.evm ? evmChainInfo : chainInfo)(options));
}

async function printReference(): Promise<void> {
  const { configReference } = await import('../../config/index.ts');
  process.stdout.write(configReference());
}
