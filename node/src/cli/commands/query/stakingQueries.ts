import { Option } from 'commander';
import type { Answer } from '../../../client/index.ts';
import { percent, statusText } from '../../ledger/shown.ts';
import type { QueryCommand } from './queryCommand.ts';

const SERVICE = 'cosmos.staking.v1beta1.Query';

interface Validator {
  readonly operator_address: string;
  readonly status: string;
  readonly jailed: boolean;
  readonly tokens: string;
  readonly description: { readonly moniker: string };
  readonly commission: { readonly commission_rates: { readonly rate: string } };
}

interface ValidatorDetails extends Validator {
  readonly delegator_shares: string;
  readonly min_self_delegation: string;
  readonly consensus_pubkey: { readonly key: string } | null;
  readonly description: { readonly moniker: string; readonly website: string; readonly details: string };
  readonly commission: {
    readonly commission_rates: {
      readonly rate: string;
      readonly max_rate: string;
      readonly max_change_rate: string;
    };
  };
}

interface Delegation {
  readonly delegation: { readonly delegator_address: string; readonly validator_address: string };
  readonly balance: { readonly amount: string; readonly denom: string };
}

interface Unbonding {
  readonly validator_address: string;
  readonly entries: readonly { readonly completion_time: string; readonly balance: string }[];
}

interface Redelegation {
  readonly redelegation: {
    readonly validator_src_address: string;
    readonly validator_dst_address: string;
  };
  readonly entries: readonly {
    readonly redelegation_entry: { readonly completion_time: string };
    readonly balance: string;
  }[];
}

function commissionText({ commission: { commission_rates: rates } }: ValidatorDetails): string {
  const [now, most, step] = [rates.rate, rates.max_rate, rates.max_change_rate].map(percent);
  return `${now}, at most ${most}, by ${step} a day`;
}

const delegations = (list: readonly Delegation[], none: string) => ({
  columns: ['DELEGATOR', 'VALIDATOR', 'AMOUNT', 'DENOM'],
  rows: list.map(({ delegation, balance }) => [
    delegation.delegator_address,
    delegation.validator_address,
    balance.amount,
    balance.denom,
  ]),
  none,
});

export const STAKING_QUERIES: readonly QueryCommand[] = [
  {
    usage: 'validators',
    about: 'all validators',
    options: [
      new Option('--status <status>', 'only those that are').choices(['bonded', 'unbonding', 'unbonded']),
    ],
    paged: true,
    method: `${SERVICE}/Validators`,
    parameters: (_args, { status }) => ({
      status: status === undefined ? undefined : `BOND_STATUS_${String(status).toUpperCase()}`,
    }),
    show: ({ validators }: { validators: Validator[] }) => ({
      columns: ['MONIKER', 'OPERATOR', 'STATUS', 'TOKENS', 'COMMISSION'],
      rows: validators.map((it) => [
        it.description.moniker,
        it.operator_address,
        statusText(it),
        it.tokens,
        percent(it.commission.commission_rates.rate),
      ]),
      none: 'there is no such validator',
    }),
  },
  {
    usage: 'validator <validator>',
    about: 'one validator, by its operator address',
    method: `${SERVICE}/Validator`,
    parameters: ([address]) => ({ validator_addr: address }),
    show: ({ validator: it }: { validator: ValidatorDetails }) => ({
      fields: {
        moniker: it.description.moniker,
        operator: it.operator_address,
        status: statusText(it),
        tokens: it.tokens,
        shares: it.delegator_shares,
        commission: commissionText(it),
        'smallest own stake': it.min_self_delegation,
        'consensus key': it.consensus_pubkey?.key,
        website: it.description.website || '-',
        details: it.description.details || '-',
      },
    }),
  },
  {
    usage: 'delegations <delegator>',
    about: 'what an account has staked',
    paged: true,
    method: `${SERVICE}/DelegatorDelegations`,
    parameters: ([address]) => ({ delegator_addr: address }),
    show: ({ delegation_responses: list }: { delegation_responses: Delegation[] }, [address]) =>
      delegations(list, `${address} has staked nothing`),
  },
  {
    usage: 'delegations-to <validator>',
    about: 'who has staked with a validator',
    paged: true,
    method: `${SERVICE}/ValidatorDelegations`,
    parameters: ([address]) => ({ validator_addr: address }),
    show: ({ delegation_responses: list }: { delegation_responses: Delegation[] }) =>
      delegations(list, 'nobody has staked with this validator'),
  },
  {
    usage: 'unbonding-delegations <delegator>',
    about: 'what comes back to an account, and when',
    paged: true,
    method: `${SERVICE}/DelegatorUnbondingDelegations`,
    parameters: ([address]) => ({ delegator_addr: address }),
    show: ({ unbonding_responses: list }: { unbonding_responses: Unbonding[] }, [address]) => ({
      columns: ['VALIDATOR', 'AMOUNT', 'COMPLETE'],
      rows: list.flatMap(({ validator_address: validator, entries }) =>
        entries.map((it) => [validator, it.balance, it.completion_time]),
      ),
      none: `nothing comes back to ${address}`,
    }),
  },
  {
    usage: 'redelegations <delegator>',
    about: 'what an account has moved between validators',
    paged: true,
    method: `${SERVICE}/Redelegations`,
    parameters: ([address]) => ({ delegator_addr: address }),
    show: ({ redelegation_responses: list }: { redelegation_responses: Redelegation[] }, [address]) => ({
      columns: ['FROM', 'TO', 'AMOUNT', 'COMPLETE'],
      rows: list.flatMap(({ redelegation, entries }) =>
        entries.map((it) => [
          redelegation.validator_src_address,
          redelegation.validator_dst_address,
          it.balance,
          it.redelegation_entry.completion_time,
        ]),
      ),
      none: `${address} has moved nothing`,
    }),
  },
  {
    usage: 'pool',
    about: 'how much is staked in all',
    method: `${SERVICE}/Pool`,
    show: ({ pool }: { pool: Readonly<Record<string, string>> }) => ({
      fields: { bonded: pool.bonded_tokens, 'not bonded': pool.not_bonded_tokens },
    }),
  },
  {
    usage: 'params',
    about: 'the parameters of staking',
    method: `${SERVICE}/Params`,
    show: ({ params }: { params: Answer }) => ({ fields: params }),
  },
];
