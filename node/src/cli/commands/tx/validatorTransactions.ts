import { join } from 'node:path';
import { CodedError } from '@chain/platform';
import { CONFIG_FILES } from '@chain/platform/contract';
import type { Command } from 'commander';
import { BECH32_PREFIX, parseDecimal, toBech32 } from '../../../primitives/index.ts';
import type { MessageScope } from './sendTransaction.ts';
import type { OwnFlags, TxCommand } from './txCommand.ts';

/** What the SDK takes for "as it was". */
const UNCHANGED = '[do-not-modify]';

const operatorOf = ({ key }: Pick<MessageScope, 'key'>): string =>
  toBech32(key.chainAddress, BECH32_PREFIX.validator);

export const createValidator: TxCommand = {
  usage: 'create-validator',
  about: 'become a validator with the key of the home, or another one',
  options: (command) => {
    describing(command.requiredOption('--amount <coin>', 'own stake, such as 1000000usei'));
    command
      .option('--pubkey <base64>', 'ed25519 consensus key; that of the home by default')
      .option('--commission-rate <decimal>', 'share of the rewards', '0.1')
      .option('--commission-max-rate <decimal>', 'highest share of the rewards', '0.2')
      .option('--commission-max-change-rate <decimal>', 'largest change of the share in a day', '0.01')
      .option('--min-self-delegation <units>', 'smallest own stake', '1');
  },
  messages: async (scope, _args, flags) => {
    const [value, another] = scope.room.parseCoinList(flags.amount ?? '');
    if (!value || another) throw new CodedError('CLI_USAGE', `--amount ${flags.amount}: write one coin`);
    if (flags.moniker === undefined) throw new CodedError('CLI_USAGE', 'add --moniker <name>');
    const message = {
      description: descriptionOf(flags, ''),
      commission: {
        rate: scaled('commission-rate', flags.commissionRate),
        maxRate: scaled('commission-max-rate', flags.commissionMaxRate),
        maxChangeRate: scaled('commission-max-change-rate', flags.commissionMaxChangeRate),
      },
      minSelfDelegation: flags.minSelfDelegation ?? '1',
      validatorAddress: operatorOf(scope),
      consensusKey: await consensusKey(flags.pubkey, scope.home),
      value,
    };
    return [scope.room.messages.createValidator(message, scope.from)];
  },
};

export const editValidator: TxCommand = {
  usage: 'edit-validator',
  about: 'change what a validator says of itself, or its commission',
  options: (command) => {
    describing(command)
      .option('--commission-rate <decimal>', 'new share of the rewards')
      .option('--min-self-delegation <units>', 'new least own stake; it only rises');
  },
  messages: (scope, _args, flags) => [
    scope.room.messages.editValidator({
      description: descriptionOf(flags, UNCHANGED),
      validatorAddress: operatorOf(scope),
      commissionRate:
        flags.commissionRate === undefined ? '' : scaled('commission-rate', flags.commissionRate),
      minSelfDelegation: flags.minSelfDelegation ?? '',
    }),
  ],
};

function describing(command: Command): Command {
  return command
    .option('--moniker <name>', 'name that people see')
    .option('--identity <id>', 'such as a Keybase id')
    .option('--website <url>')
    .option('--security-contact <email>')
    .option('--details <text>');
}

function descriptionOf(flags: OwnFlags, absent: string) {
  return {
    moniker: flags.moniker ?? absent,
    identity: flags.identity ?? absent,
    website: flags.website ?? absent,
    securityContact: flags.securityContact ?? absent,
    details: flags.details ?? absent,
  };
}

/** As the wire has it. */
function scaled(flag: string, text = ''): string {
  const decimal = parseDecimal(text);
  if (decimal !== undefined) return decimal.toString();
  throw new CodedError('CLI_USAGE', `--${flag} ${text}: write a decimal, such as 0.1 for 10 %`);
}

async function consensusKey(given: string | undefined, home: string): Promise<Uint8Array> {
  if (given === undefined) {
    const { readValidatorKey } = await import('../../../keys/index.ts');
    return (await readValidatorKey(join(home, CONFIG_FILES.validatorKey))).publicKey;
  }
  const key = Buffer.from(given, 'base64');
  if (key.length === 32) return new Uint8Array(key);
  throw new CodedError(
    'CLI_USAGE',
    `--pubkey ${given.slice(0, 80)}: write an ed25519 key of 32 bytes in base64, as /status of the consensus RPC shows it`,
  );
}
