import {
  BASE_DENOMINATION,
  ensureAccount,
  isPointerOf,
  readAccountWei,
  readHeldDenominations,
  readPointer,
  readSupply,
  readUnits,
  requireReceiver,
  transferCoins,
  writeAccountWei,
} from '../../ledger/index.ts';
import { hexToBytes, toBech32, toHexData } from '../../primitives/index.ts';
import { accountOf, callerAccount, chainAccountAt } from './accounts.ts';
import { BANK_QUERIES, metadataOf } from './bankQueries.ts';
import { ledgerPrecompile } from './ledgerPrecompile.ts';
import { refundValue } from './payment.ts';
import { refused } from './precompileError.ts';
import { type PrecompileCall, precompileMethod } from './precompileMethod.ts';

const METHODS = [
  precompileMethod<[Uint8Array]>(
    'all_balances(address acc) view returns ((uint256 amount, string denom)[] response)',
    ([address], { ledger: { overlay } }) => {
      const account = accountOf(overlay, address);
      const held = [...readHeldDenominations(overlay, account), BASE_DENOMINATION].sort();
      const coins = held.map((denom) => [readUnits(overlay, account, denom), denom] as const);
      return [coins.filter(([amount]) => amount > 0n)];
    },
  ),
  precompileMethod<[Uint8Array, string]>(
    'balance(address acc, string denom) view returns (uint256 amount)',
    ([address, denom], { ledger: { overlay } }) => {
      if (denom === '') throw refused('invalid denom');
      return [readUnits(overlay, accountOf(overlay, address), denom)];
    },
  ),
  // Amounts of the bank are whole units; the exponents of a denomination are in its metadata.
  precompileMethod<[string]>('decimals(string denom) view returns (uint8 response)', () => [0n]),
  precompileMethod<[string]>('name(string denom) view returns (string response)', ([denom], { ledger }) => [
    metadataOf(ledger.overlay, denom).name,
  ]),
  precompileMethod<[string]>('symbol(string denom) view returns (string response)', ([denom], { ledger }) => [
    metadataOf(ledger.overlay, denom).symbol,
  ]),
  precompileMethod<[string]>(
    'supply(string denom) view returns (uint256 response)',
    ([denom], { ledger }) => [readSupply(ledger.overlay, denom)],
  ),
  precompileMethod<[Uint8Array, Uint8Array, string, bigint]>(
    'send(address fromAddress, address toAddress, string denom, uint256 amount) nonpayable returns (bool success)',
    send,
  ),
  precompileMethod<[string]>('sendNative(string toNativeAddress) payable returns (bool success)', sendNative),
  ...BANK_QUERIES,
];

/**
 * The precompile 0x…1001 (spec L-11, docs/abi/bank.json): balances and denominations for everyone, `send`
 * for the pointer of a denomination, `sendNative` for whoever pays. Amounts are whole units.
 */
export const bankPrecompile = ledgerPrecompile({
  address: hexToBytes('0000000000000000000000000000000000001001'),
  name: 'bank',
  methods: METHODS,
});

/** Of the bank precompile, for its ABI. */
export const BANK_METHODS = METHODS;

/** Moves what any account holds: the caller must be the contract that guards the denomination. */
function send(
  [from, to, denom, amount]: [Uint8Array, Uint8Array, string, bigint],
  { context: { caller }, ledger }: PrecompileCall,
): [boolean] {
  const { overlay } = ledger;
  if (!isPointerOf(overlay, caller, denom)) {
    const pointer = readPointer(overlay, denom);
    const who = pointer
      ? `only pointer ${toHexData(pointer.address)}`
      : 'only a pointer, which there is not,';
    throw refused(`${who} can send ${denom} but got ${toHexData(caller)}`);
  }
  const [sender, receiver] = [accountOf(overlay, from), accountOf(overlay, to)];
  if (amount === 0n) return [true];
  requireReceiver(overlay, receiver);
  transferCoins(ledger, { from: sender, to: receiver, coins: [{ denomination: denom, amount }] });
  return [true];
}

/** Sends the call's value, down to the wei, to a chain account. */
function sendNative([text]: [string], call: PrecompileCall): [boolean] {
  const { value, ledger } = call;
  const { overlay, events } = ledger;
  if (value === 0n) throw refused('set `value` field to non-zero to send');
  const [sender, receiver] = [callerAccount(call), chainAccountAt(text)];
  requireReceiver(overlay, receiver);
  refundValue(call);
  writeAccountWei(overlay, sender, readAccountWei(overlay, sender) - value);
  writeAccountWei(overlay, receiver, readAccountWei(overlay, receiver) + value);
  ensureAccount(overlay, receiver);
  events.add('wei_transfer', { sender: toBech32(sender), recipient: text, amount: value.toString() });
  return [true];
}
