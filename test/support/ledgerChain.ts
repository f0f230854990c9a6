import { Interface } from 'ethers';
import { createGenesisState } from '../../node/src/execution/index.ts';
import {
  signRaw,
  TestChain,
  type TestTransaction,
  TOKEN,
  testAccount,
} from '../../node/src/execution/testChain.fixture.ts';
import { hexToBytes, sha256, toBech32 } from '../../node/src/primitives/index.ts';
import type { Receipt } from '../../node/src/types/index.ts';
import { type ContractName, compileContracts } from './contracts.ts';
import { denomination, GOLD, SILVER } from './goldGenesis.ts';

export const accounts = [0, 1, 2].map(testAccount) as [Account, Account, Account];
type Account = ReturnType<typeof testAccount>;

const consensusKey = new Uint8Array(32).fill(7);
const VOTE = { address: sha256(consensusKey).subarray(0, 20), power: 10n, signed: true };

/** Operator of the one validator, account 0. */
export const VALIDATOR = toBech32(accounts[0].chainAddress, 'chainvaloper');
/** Units that it has staked at genesis. */
export const STAKED = 10_000_000n;
export const UNBONDING_SECONDS = 3n;

/** A chain with a validator and two denominations, whose accounts' nonces are counted. */
export class LedgerChain {
  readonly chain: TestChain;
  readonly #nonces = new Map<Account, bigint>();

  private constructor(chain: TestChain) {
    this.chain = chain;
  }

  static async start(): Promise<LedgerChain> {
    const coins = [GOLD, SILVER].map((denom) => ({ denom, amount: '1000000' }));
    const genesis = createGenesisState({
      evmChainId: 713_714n,
      accounts: accounts.map((account) => ({ ...account, balanceWei: 100n * TOKEN, coins })),
      denominations: [denomination(GOLD, 'Gold'), denomination(SILVER, 'Silver')],
      validator: { operator: accounts[0].chainAddress, consensusKey, moniker: 'one', units: STAKED },
      unbondingSeconds: UNBONDING_SECONDS,
    });
    return new LedgerChain(await TestChain.start(genesis));
  }

  /** A block that the validator signed. */
  block(...raws: readonly Uint8Array[]) {
    return this.chain.block(raws, { lastVotes: [VOTE] });
  }

  /** An EVM transaction of an account, with its next nonce. */
  sign(account: Account, fields: TestTransaction): Uint8Array {
    const nonce = this.#nonces.get(account) ?? 0n;
    this.#nonces.set(account, nonce + 1n);
    return signRaw(account, { nonce, gasLimit: 2_000_000n, ...fields });
  }

  /** Runs a transaction in a block of its own. */
  async run(account: Account, fields: TestTransaction): Promise<Receipt> {
    const { receipts } = await this.block(this.sign(account, fields));
    return receipts[0]!;
  }

  async call(fields: { to: Uint8Array; data: Uint8Array; from?: Uint8Array; value?: bigint }) {
    return this.chain.execution.call(fields, this.chain.state, this.chain.context());
  }
}

/** A contract of the fixtures on such a chain. */
export class CalledContract {
  readonly address: Uint8Array;
  readonly abi: Interface;
  readonly #chain: LedgerChain;

  constructor(chain: LedgerChain, address: Uint8Array, abi: Interface) {
    this.#chain = chain;
    this.address = address;
    this.abi = abi;
  }

  static async deploy(chain: LedgerChain, name: ContractName, value = 0n): Promise<CalledContract> {
    const { abi, bytecode } = compileContracts()[name];
    const created = await chain.run(accounts[0], {
      to: null,
      data: hexToBytes(bytecode),
      value,
      gasLimit: 6_000_000n,
    });
    return new CalledContract(chain, created.contractAddress!, new Interface(JSON.stringify(abi)));
  }

  data(method: string, ...args: readonly unknown[]): Uint8Array {
    return hexToBytes(this.abi.encodeFunctionData(method, args));
  }

  send(method: string, args: readonly unknown[], fields: TestTransaction = {}): Promise<Receipt> {
    return this.#chain.run(accounts[0], { to: this.address, data: this.data(method, ...args), ...fields });
  }

  /** The first result of a view. */
  async ask(method: string, ...args: readonly unknown[]): Promise<unknown> {
    const { error, returnData } = await this.#chain.call({
      to: this.address,
      data: this.data(method, ...args),
    });
    if (error) return error;
    const results = this.abi.decodeFunctionResult(method, returnData);
    return results.length === 1 ? results[0] : [...results];
  }
}
