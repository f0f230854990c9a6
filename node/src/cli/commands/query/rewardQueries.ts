import type { Answer, LedgerClient } from '../../../client/index.ts';
import { coinsText } from '../../ledger/shown.ts';
import type { FreeQuery, QueryCommand } from './queryCommand.ts';

const SERVICE = 'cosmos.distribution.v1beta1.Query';
const SLASHING = 'cosmos.slashing.v1beta1.Query';

type Coins = { readonly amount: string; readonly denom: string }[];

interface Reward {
  readonly validator_address: string;
  readonly reward: Coins;
}

interface SigningInfo {
  readonly address: string;
  readonly missed_blocks_counter: string;
  readonly jailed_until: string;
  readonly tombstoned: boolean;
}

export const DISTRIBUTION_QUERIES: readonly (QueryCommand | FreeQuery)[] = [
  {
    usage: 'rewards <delegator> [validator]',
    about: 'what an account may withdraw',
    ask: (client: LedgerClient, [delegator, validator], { height }) =>
      client.query({
        method: `${SERVICE}/${validator ? 'DelegationRewards' : 'DelegationTotalRewards'}`,
        parameters: { delegator_address: delegator, validator_address: validator || undefined },
        height,
      }),
    show: ({ rewards }: { rewards: unknown }, [delegator, validator]) => ({
      columns: ['VALIDATOR', 'REWARDS'],
      rows: validator
        ? [[validator, coinsText(rewards as Coins)]]
        : (rewards as Reward[]).map((it) => [it.validator_address, coinsText(it.reward)]),
      none: `${delegator} has staked nothing`,
    }),
  },
  {
    usage: 'commission <validator>',
    about: 'what a validator has earned of its delegators’ rewards',
    method: `${SERVICE}/ValidatorCommission`,
    parameters: ([address]) => ({ validator_address: address }),
    show: ({ commission }: { commission: { commission: Coins } }) => ({
      fields: { commission: coinsText(commission.commission) },
    }),
  },
  {
    usage: 'outstanding-rewards <validator>',
    about: 'what nobody has withdrawn of a validator’s rewards',
    method: `${SERVICE}/ValidatorOutstandingRewards`,
    parameters: ([address]) => ({ validator_address: address }),
    show: ({ rewards }: { rewards: { rewards: Coins } }) => ({
      fields: { outstanding: coinsText(rewards.rewards) },
    }),
  },
  {
    usage: 'community-pool',
    about: 'what the community pool holds',
    method: `${SERVICE}/CommunityPool`,
    show: ({ pool }: { pool: Coins }) => ({ fields: { pool: coinsText(pool) } }),
  },
  {
    usage: 'params',
    about: 'the parameters of distribution',
    method: `${SERVICE}/Params`,
    show: ({ params }: { params: Answer }) => ({ fields: params }),
  },
];

export const SLASHING_QUERIES: readonly QueryCommand[] = [
  {
    usage: 'signing-infos',
    about: 'how reliably validators sign',
    paged: true,
    method: `${SLASHING}/SigningInfos`,
    show: ({ info }: { info: SigningInfo[] }) => ({
      columns: ['CONSENSUS ADDRESS', 'MISSED', 'JAILED UNTIL', 'TOMBSTONED'],
      rows: info.map((it) => [
        it.address,
        it.missed_blocks_counter,
        it.jailed_until,
        it.tombstoned ? 'yes' : 'no',
      ]),
      none: 'there is nothing yet',
    }),
  },
  {
    usage: 'signing-info <consensus-address>',
    about: 'how reliably a validator signs, by chainvalcons1…',
    method: `${SLASHING}/SigningInfo`,
    parameters: ([address]) => ({ cons_address: address }),
    show: ({ val_signing_info: info }: { val_signing_info: Answer }) => ({ fields: info }),
  },
  {
    usage: 'params',
    about: 'the parameters of slashing',
    method: `${SLASHING}/Params`,
    show: ({ params }: { params: Answer }) => ({ fields: params }),
  },
];
