import { readFileSync } from 'node:fs';
import { Interface } from 'ethers';
import { pointerAddressOf } from '../../node/src/ledger/index.ts';
import { hexToBytes, toBech32, toHexData } from '../../node/src/primitives/index.ts';
import { GOLD } from '../support/goldGenesis.ts';
import { accounts, type LedgerChain, VALIDATOR } from '../support/ledgerChain.ts';
import { addressOf, LOOP_CODE, loopInput, WRITE_LOOP_CODE, writeLoopInput } from './gasCases.ts';

/** A call of one of this chain's precompiles, again and again; as whom, where code may be at that account. */
export interface OwnCase {
  readonly name: string;
  readonly code: string;
  readonly input: Uint8Array;
  /** Where the loop's code lies: precompiles that write ask who calls. */
  readonly at?: Uint8Array;
}

const [owner, friend] = accounts;
const ME = toHexData(owner.evmAddress);
const YOU = toHexData(friend.evmAddress);
const MY_TEXT = toBech32(owner.chainAddress);
const ERC20 = [
  'function balanceOf(address) view returns (uint256)',
  'function transfer(address,uint256) returns (bool)',
  'function approve(address,uint256) returns (bool)',
];
/** One unit of the base denomination. */
const UNIT = 10n ** 12n;
const LONG_JSON = JSON.stringify({ deep: 'x'.repeat(20_000), last: '7' });

const abiOf = (name: string) => new Interface(readFileSync(`docs/abi/${name}.json`, 'utf8'));

function dataOf(contract: string, method: string, args: readonly unknown[]): Uint8Array {
  const abi = contract === 'pointer of gold' ? new Interface(ERC20) : abiOf(contract);
  return hexToBytes(abi.encodeFunctionData(method, args));
}

const read = (at: Uint8Array, contract: string, method: string, args: readonly unknown[]): OwnCase => ({
  name: `${contract}.${method}`,
  code: LOOP_CODE,
  input: loopInput(at, dataOf(contract, method, args)),
});

const write = (
  at: Uint8Array,
  [contract, method]: readonly [string, string],
  args: readonly unknown[],
  value = 0n,
): OwnCase => ({
  name: `${contract}.${method}`,
  code: WRITE_LOOP_CODE,
  input: writeLoopInput(at, value, dataOf(contract, method, args)),
  at: owner.evmAddress,
});

const BANK = addressOf(0x1001);
const JSON_AT = addressOf(0x1003);
const ADDRESS = addressOf(0x1004);
const STAKING = addressOf(0x1005);
const DISTRIBUTION = addressOf(0x1007);
const POINTER_VIEW = addressOf(0x100a);
const POINTER = addressOf(0x100b);
const GOLD_POINTER = pointerAddressOf(GOLD);

export const OWN_CASES: readonly OwnCase[] = [
  read(BANK, 'bank', 'balance', [ME, GOLD]),
  read(BANK, 'bank', 'supply', [GOLD]),
  read(BANK, 'bank', 'name', [GOLD]),
  read(JSON_AT, 'json', 'extractAsBytes', [toHexData(Buffer.from('{"a":"1"}')), 'a']),
  read(JSON_AT, 'json', 'extractAsBytes', [toHexData(Buffer.from(LONG_JSON)), 'last']),
  read(ADDRESS, 'address', 'getChainAddr', [ME]),
  read(ADDRESS, 'address', 'getEvmAddr', [MY_TEXT]),
  read(STAKING, 'staking', 'delegation', [ME, VALIDATOR]),
  read(DISTRIBUTION, 'distribution', 'rewards', [ME]),
  read(POINTER_VIEW, 'pointerview', 'getNativePointer', [GOLD]),
  read(GOLD_POINTER, 'pointer of gold', 'balanceOf', [ME]),
  write(BANK, ['bank', 'sendNative'], [toBech32(friend.chainAddress)], UNIT),
  write(STAKING, ['staking', 'delegate'], [VALIDATOR], UNIT),
  write(STAKING, ['staking', 'undelegate'], [VALIDATOR, 1n]),
  write(STAKING, ['staking', 'editValidator'], ['one', '', 0n]),
  write(DISTRIBUTION, ['distribution', 'setWithdrawAddress'], [YOU]),
  write(DISTRIBUTION, ['distribution', 'withdrawDelegationRewards'], [VALIDATOR]),
  write(DISTRIBUTION, ['distribution', 'withdrawMultipleDelegationRewards'], [[VALIDATOR, VALIDATOR]]),
  write(POINTER, ['pointer', 'addNativePointer'], [GOLD]),
  write(GOLD_POINTER, ['pointer of gold', 'transfer'], [YOU, 1n]),
  write(GOLD_POINTER, ['pointer of gold', 'approve'], [YOU, 1n]),
];

/** What the cases need: the pointer of a denomination. */
export async function prepare(ledger: LedgerChain): Promise<void> {
  const data = dataOf('pointer', 'addNativePointer', [GOLD]);
  const { status } = await ledger.run(owner, { to: POINTER, data });
  if (status !== 1) throw new TypeError('the pointer of gold could not be made');
}
