import type { EncodeObject } from '@cosmjs/proto-signing';
import { PubKey } from 'cosmjs-types/cosmos/crypto/ed25519/keys';
import type { BlockOutcome, ExecutionOptions } from '../../node/src/execution/index.ts';
import { TestChain, TOKEN, testAccount } from '../../node/src/execution/testChain.fixture.ts';
import { readAccount, readEngineSets, readValidator } from '../../node/src/ledger/index.ts';
import { sha256, toBech32, utf8 } from '../../node/src/primitives/index.ts';
import type { BlockContext, CommitVote, TransactionResult } from '../../node/src/types/index.ts';
import { signLedger } from './ledgerClient.ts';

export const consensusKey = (seed: number): Uint8Array => sha256(utf8(`consensus key ${seed}`));
export const consensusAddress = (seed: number): Uint8Array => sha256(consensusKey(seed)).subarray(0, 20);
const nameOf = (address: Uint8Array): string => Buffer.from(address).toString('hex');
export const account = (seed: number): Uint8Array => testAccount(seed).chainAddress;
export const accountText = (seed: number): string => toBech32(account(seed));
export const operatorText = (seed: number): string => toBech32(account(seed), 'chainvaloper');

const FEE = { amount: [{ denom: 'usei', amount: '4000' }], gas: '2000000' };
/** A decimal as messages carry it. */
export const decimal = (text: string): string => String(BigInt(Math.round(Number(text) * 1e6)) * 10n ** 12n);

export interface ValidatorGenesis {
  /** Units that each validator has staked, by seed. */
  readonly stakes: readonly number[];
  readonly params?: Readonly<Record<string, unknown>>;
  readonly slashing?: Readonly<Record<string, unknown>>;
  readonly distribution?: Readonly<Record<string, unknown>>;
  readonly transactions?: readonly unknown[];
  /** Accounts with 100 tokens each; default 8. */
  readonly accounts?: number;
}

export function validatorGenesis({
  stakes,
  params,
  slashing,
  distribution,
  transactions,
  accounts = 8,
}: ValidatorGenesis) {
  return {
    evm: { chain_id: '713714' },
    bank: {
      balances: Array.from({ length: accounts }, (_, seed) => ({
        address: accountText(seed),
        wei: (100n * TOKEN).toString(),
      })),
    },
    staking: {
      params,
      validators: stakes.map((units, seed) => ({
        operator: accountText(seed),
        consensus_key: `0x${Buffer.from(consensusKey(seed)).toString('hex')}`,
        moniker: `validator ${seed}`,
        units: String(units),
      })),
    },
    slashing: { params: slashing },
    distribution: { params: distribution },
    genutil: { gen_txs: transactions },
  };
}

/** A chain whose blocks carry the votes of its own validator sets; seeds name validators and accounts. */
export class ValidatorChain {
  readonly chain: TestChain;
  /** Seeds of validators whose votes are missing. */
  readonly absent = new Set<number>();
  seconds = 1_700_000_000n;

  /** The votes for the newest block. */
  #votes: CommitVote[];

  private constructor(chain: TestChain) {
    this.chain = chain;
    this.#votes = this.#nextVotes();
  }

  static async start(genesis: ValidatorGenesis, options?: ExecutionOptions): Promise<ValidatorChain> {
    const appState: unknown = JSON.parse(JSON.stringify(validatorGenesis(genesis)));
    return new ValidatorChain(await TestChain.start(appState, undefined, options));
  }

  get state() {
    return this.chain.state;
  }

  validator(seed: number) {
    return readValidator(this.state, account(seed));
  }

  /** Of the block to come. */
  nextContext(): BlockContext {
    return this.chain.context(this.#decided());
  }

  #decided(): Pick<BlockContext, 'lastVotes' | 'time'> {
    const missing = new Set([...this.absent].map((seed) => nameOf(consensusAddress(seed))));
    const lastVotes = this.#votes.map((vote) => ({ ...vote, signed: !missing.has(nameOf(vote.address)) }));
    return { lastVotes, time: { seconds: this.seconds + 1n, nanos: 0 } };
  }

  async block(raws: readonly Uint8Array[] = [], changes: Partial<BlockContext> = {}): Promise<BlockOutcome> {
    const decided = this.#decided();
    const votes = this.#nextVotes();
    this.seconds += 1n;
    const outcome = await this.chain.block(raws, { ...decided, ...changes });
    this.#votes = votes;
    return outcome;
  }

  /** Of the block to come. */
  #nextVotes(): CommitVote[] {
    return readEngineSets(this.state).next.map(({ publicKey, power }) => ({
      address: sha256(publicKey).subarray(0, 20),
      power,
      signed: true,
    }));
  }

  async blocks(count: number): Promise<void> {
    for (let i = 0; i < count; i++) await this.block();
  }

  async sign(seed: number, message: EncodeObject, mode: 'direct' | 'amino' = 'direct'): Promise<Uint8Array> {
    const held = readAccount(this.state, account(seed));
    const accountNumber = Number(held?.accountNumber ?? 0n);
    const sequence = Number(held?.sequence ?? 0n);
    return signLedger(testAccount(seed), [message], { accountNumber, sequence, fee: FEE, mode });
  }

  /** Runs one message in a block of its own. */
  async run(seed: number, message: EncodeObject, mode?: 'direct' | 'amino'): Promise<TransactionResult> {
    const { results } = await this.block([await this.sign(seed, message, mode)]);
    return results[0]!;
  }
}

const staking = (name: string, value: unknown): EncodeObject => ({
  typeUrl: `/cosmos.staking.v1beta1.${name}`,
  value,
});
const coin = (amount: number | bigint) => ({ denom: 'usei', amount: String(amount) });

export const messages = {
  delegate: (by: number, to: number, amount: number) =>
    staking('MsgDelegate', {
      delegatorAddress: accountText(by),
      validatorAddress: operatorText(to),
      amount: coin(amount),
    }),
  undelegate: (by: number, from: number, amount: number) =>
    staking('MsgUndelegate', {
      delegatorAddress: accountText(by),
      validatorAddress: operatorText(from),
      amount: coin(amount),
    }),
  redelegate: (by: number, { from, to }: { from: number; to: number }, amount: number) =>
    staking('MsgBeginRedelegate', {
      delegatorAddress: accountText(by),
      validatorSrcAddress: operatorText(from),
      validatorDstAddress: operatorText(to),
      amount: coin(amount),
    }),
  create: (seed: number, amount: number, changes: Readonly<Record<string, unknown>> = {}) =>
    staking('MsgCreateValidator', {
      description: {
        moniker: `made ${seed}`,
        identity: 'i',
        website: 'w',
        securityContact: 's',
        details: 'd',
      },
      commission: { rate: decimal('0.1'), maxRate: decimal('0.2'), maxChangeRate: decimal('0.01') },
      minSelfDelegation: '1',
      delegatorAddress: accountText(seed),
      validatorAddress: operatorText(seed),
      pubkey: {
        typeUrl: '/cosmos.crypto.ed25519.PubKey',
        value: PubKey.encode({ key: consensusKey(seed) }).finish(),
      },
      value: coin(amount),
      ...changes,
    }),
  edit: (seed: number, changes: Readonly<Record<string, unknown>>) =>
    staking('MsgEditValidator', {
      description: {
        moniker: '[do-not-modify]',
        identity: '[do-not-modify]',
        website: '[do-not-modify]',
        securityContact: '[do-not-modify]',
        details: '[do-not-modify]',
      },
      validatorAddress: operatorText(seed),
      commissionRate: '',
      minSelfDelegation: '',
      ...changes,
    }),
  withdraw: (by: number, from: number): EncodeObject => ({
    typeUrl: '/cosmos.distribution.v1beta1.MsgWithdrawDelegatorReward',
    value: { delegatorAddress: accountText(by), validatorAddress: operatorText(from) },
  }),
  commission: (seed: number): EncodeObject => ({
    typeUrl: '/cosmos.distribution.v1beta1.MsgWithdrawValidatorCommission',
    value: { validatorAddress: operatorText(seed) },
  }),
  withdrawTo: (by: number, to: number): EncodeObject => ({
    typeUrl: '/cosmos.distribution.v1beta1.MsgSetWithdrawAddress',
    value: { delegatorAddress: accountText(by), withdrawAddress: accountText(to) },
  }),
  fund: (by: number, amount: number): EncodeObject => ({
    typeUrl: '/cosmos.distribution.v1beta1.MsgFundCommunityPool',
    value: { depositor: accountText(by), amount: [coin(amount)] },
  }),
  unjail: (seed: number): EncodeObject => ({
    typeUrl: '/cosmos.slashing.v1beta1.MsgUnjail',
    value: { validatorAddr: operatorText(seed) },
  }),
};
