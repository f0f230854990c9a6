import type { EncodeObject } from '@cosmjs/proto-signing';
import { Interface } from 'ethers';
import { openLedgerSource } from '../../node/src/app/ledgerSource.ts';
import { pointerAddressOf } from '../../node/src/ledger/index.ts';
import {
  chainAddressOf,
  hexToBytes,
  publicKeyOf,
  toBech32,
  toHexData,
} from '../../node/src/primitives/index.ts';
import { LEGACY_METHODS, type LedgerSource } from '../../node/src/rpc/index.ts';
import { type FixtureOptions, openRpcFixture, type RpcFixture } from '../../node/src/rpc/rpc.fixture.ts';
import { ACCOUNTS, KEYS, sign } from '../../node/src/rpc/testTransactions.fixture.ts';
import { denomination, GOLD } from './goldGenesis.ts';
import { DEFAULT_FEE, sendMessage, signLedger } from './ledgerClient.ts';

export const POINTER = pointerAddressOf(GOLD);
export const SIGNERS = KEYS.map((privateKey) => ({
  privateKey,
  chainAddress: chainAddressOf(publicKeyOf(privateKey, true)!),
}));

const registry = new Interface(['function addNativePointer(string token) payable returns (address ret)']);
const token = new Interface(['function transfer(address to, uint256 value) returns (bool)']);
const REGISTRY = hexToBytes(`0x${'100b'.padStart(40, '0')}`);
const FEE = { ...DEFAULT_FEE, gas: '400000' };

/** JSON-RPC over a chain with gold, whose pointer block 1 registers. */
export async function openGoldChain(options: FixtureOptions = {}): Promise<RpcFixture> {
  const ledgerSource: LedgerSource = {
    transfers: (record) => openLedgerSource(rpc.chain).transfers(record),
    synthetic: (record, receipt) => openLedgerSource(rpc.chain).synthetic(record, receipt),
  };
  const rpc: RpcFixture = await openRpcFixture({
    legacyMethods: LEGACY_METHODS,
    ledgerSource,
    ...options,
    genesis: {
      coins: [{ denom: GOLD, amount: '1000000000' }],
      denominations: [denomination(GOLD, 'Gold')],
      ...options.genesis,
    },
  });
  return rpc;
}

export type LoadKind =
  | 'register'
  | 'value'
  | 'token'
  | 'tokenTooMuch'
  | 'sendUnits'
  | 'sendGold'
  | 'sendBoth'
  | 'sendUnitsAndGold'
  | 'multiSendGold'
  | 'sendTooMuch';

/** Makes transactions of both VMs, with nonces and sequences in order. */
export class MixedLoad {
  readonly #nonces = [0n, 0n, 0n];
  readonly #sequences = [0, 0, 0];

  /** Ledger bytes, or a signed EVM transaction. */
  make(kind: LoadKind, by: number, amount: number) {
    const to = (by + 1) % ACCOUNTS.length;
    switch (kind) {
      case 'register':
        return this.evm(by, {
          to: REGISTRY,
          data: hexToBytes(registry.encodeFunctionData('addNativePointer', [GOLD])),
        });
      case 'value':
        return this.evm(by, { to: ACCOUNTS[to]!, value: BigInt(amount) });
      case 'token':
        return this.evm(by, this.#transfer(to, BigInt(amount)));
      case 'tokenTooMuch':
        return this.evm(by, this.#transfer(to, 10n ** 30n));
      default:
        return this.#ledger(by, this.#messages(kind, { by, to, amount: String(amount) }));
    }
  }

  #transfer(to: number, amount: bigint) {
    const data = token.encodeFunctionData('transfer', [toHexData(ACCOUNTS[to]!), amount]);
    return { to: POINTER, data: hexToBytes(data) };
  }

  #messages(kind: LoadKind, { by, to, amount }: { by: number; to: number; amount: string }): EncodeObject[] {
    const [from, target] = [SIGNERS[by]!.chainAddress, SIGNERS[to]!.chainAddress];
    const units = sendMessage(from, target, amount);
    const gold = sendMessage(from, target, amount, GOLD);
    const coins = [GOLD, 'usei'].map((denom) => ({ denom, amount }));
    if (kind === 'sendUnits') return [units, units];
    if (kind === 'sendGold') return [gold];
    if (kind === 'sendBoth') return [{ ...gold, value: { ...gold.value, amount: coins } }];
    if (kind === 'sendUnitsAndGold') return [units, gold, gold];
    if (kind === 'sendTooMuch') return [sendMessage(from, target, '9'.repeat(20), GOLD)];
    const half = [{ denom: GOLD, amount }];
    const outputs = [from, target].map((address) => ({ address: toBech32(address), coins: half }));
    const inputs = [
      { address: toBech32(from), coins: [{ denom: GOLD, amount: String(2 * Number(amount)) }] },
    ];
    return [{ typeUrl: '/cosmos.bank.v1beta1.MsgMultiSend', value: { inputs, outputs } }];
  }

  /** An EVM transaction of an account, with its next nonce. */
  evm(by: number, fields: Parameters<typeof sign>[1]) {
    const nonce = this.#nonces[by]!;
    this.#nonces[by] = nonce + 1n;
    return sign(by, { nonce, ...fields });
  }

  #ledger(by: number, messages: readonly EncodeObject[]): Promise<Uint8Array> {
    const sequence = this.#sequences[by]!;
    this.#sequences[by] = sequence + 1;
    return signLedger(SIGNERS[by]!, messages, {
      accountNumber: by + 1,
      sequence,
      chainId: 'test-1',
      fee: FEE,
    });
  }
}
