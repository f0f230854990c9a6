import { PubKey } from 'cosmjs-types/cosmos/crypto/ed25519/keys';
import {
  MsgBeginRedelegate,
  MsgCreateValidator,
  MsgDelegate,
  MsgEditValidator,
  MsgUndelegate,
} from 'cosmjs-types/cosmos/staking/v1beta1/tx';
import { BASE_DENOMINATION, runLedgerMessage } from '../../../ledger/index.ts';
import { BECH32_PREFIX, parseDecimal, toBech32 } from '../../../primitives/index.ts';
import { parseEvent } from '../abi/parseAbi.ts';
import { callerAccount } from '../accounts.ts';
import { eventLog } from '../eventLog.ts';
import { refundValue, unitsOf } from '../payment.ts';
import { refused } from '../precompileError.ts';
import { type PrecompileCall, precompileMethod } from '../precompileMethod.ts';
import { tellWithdrawals, WITHDRAWN } from '../withdrawals.ts';

const DELEGATED = parseEvent('Delegate(address indexed delegator, string validator, uint256 amount)');
const REDELEGATED = parseEvent(
  'Redelegate(address indexed delegator, string srcValidator, string dstValidator, uint256 amount)',
);
const UNDELEGATED = parseEvent('Undelegate(address indexed delegator, string validator, uint256 amount)');
const CREATED = parseEvent(
  'ValidatorCreated(address indexed creator, string validatorAddress, string moniker)',
);
const EDITED = parseEvent('ValidatorEdited(address indexed editor, string validatorAddress, string moniker)');

/** The amount of `Delegate` is in wei; those of all others are whole units (spec L-11). */
export const STAKING_EVENTS = [DELEGATED, WITHDRAWN, REDELEGATED, UNDELEGATED, CREATED, EDITED];

/** What the Cosmos SDK takes for "as it was". */
const UNCHANGED = '[do-not-modify]';

export const STAKING_WRITES = [
  precompileMethod<[string]>('delegate(string valAddress) payable returns (bool success)', delegate),
  precompileMethod<[string, string, bigint]>(
    'redelegate(string srcAddress, string dstAddress, uint256 amount) nonpayable returns (bool success)',
    ([source, target, amount], call) => {
      const { delegatorAddress, tell } = delegatorOf(call);
      const message = {
        delegatorAddress,
        validatorSrcAddress: source,
        validatorDstAddress: target,
        amount: coinOf(amount),
      };
      runLedgerMessage({ ...MsgBeginRedelegate, codec: MsgBeginRedelegate }, message, call.ledger);
      return tell(eventLog(call, REDELEGATED, [call.context.caller, source, target, amount]));
    },
  ),
  precompileMethod<[string, bigint]>(
    'undelegate(string valAddress, uint256 amount) nonpayable returns (bool success)',
    ([validator, amount], call) => {
      const { delegatorAddress, tell } = delegatorOf(call);
      const message = { delegatorAddress, validatorAddress: validator, amount: coinOf(amount) };
      runLedgerMessage({ ...MsgUndelegate, codec: MsgUndelegate }, message, call.ledger);
      return tell(eventLog(call, UNDELEGATED, [call.context.caller, validator, amount]));
    },
  ),
  precompileMethod<[string, string, string, string, string, bigint]>(
    'createValidator(string pubKeyHex, string moniker, string commissionRate, string commissionMaxRate, string commissionMaxChangeRate, uint256 minSelfDelegation) payable returns (bool success)',
    createValidator,
  ),
  precompileMethod<[string, string, bigint]>(
    'editValidator(string moniker, string commissionRate, uint256 minSelfDelegation) nonpayable returns (bool success)',
    editValidator,
  ),
];

function delegate([validator]: [string], call: PrecompileCall): [boolean] {
  const amount = unitsOf(call);
  if (amount === 0n) throw refused('set `value` field to non-zero to send delegate fund');
  const { delegatorAddress, tell } = delegatorOf(call);
  refundValue(call);
  const message = { delegatorAddress, validatorAddress: validator, amount: coinOf(amount) };
  runLedgerMessage({ ...MsgDelegate, codec: MsgDelegate }, message, call.ledger);
  return tell(eventLog(call, DELEGATED, [call.context.caller, validator, call.value]));
}

function createValidator(
  [keyHex, moniker, rate, maxRate, maxChangeRate, minSelfDelegation]: [
    string,
    string,
    string,
    string,
    string,
    bigint,
  ],
  call: PrecompileCall,
): [boolean] {
  const amount = unitsOf(call);
  if (amount === 0n) throw refused('set `value` field to non-zero to send delegate fund');
  const { account, delegatorAddress, tell } = delegatorOf(call);
  if (!/^(0x)?[0-9a-fA-F]{64}$/.test(keyHex)) throw refused('the public key is not 32 bytes of hex');
  refundValue(call);
  const key = Buffer.from(keyHex.replace(/^0x/, ''), 'hex');
  const validatorAddress = toBech32(account, BECH32_PREFIX.validator);
  const message = MsgCreateValidator.fromPartial({
    description: { moniker },
    commission: {
      rate: decimalAt(rate),
      maxRate: decimalAt(maxRate),
      maxChangeRate: decimalAt(maxChangeRate),
    },
    minSelfDelegation: minSelfDelegation.toString(),
    delegatorAddress,
    validatorAddress,
    pubkey: { typeUrl: PubKey.typeUrl, value: PubKey.encode({ key }).finish() },
    value: coinOf(amount),
  });
  runLedgerMessage({ ...MsgCreateValidator, codec: MsgCreateValidator }, message, call.ledger);
  return tell(eventLog(call, CREATED, [call.context.caller, validatorAddress, moniker]));
}

/** An empty text, or 0, leaves a value as it is. */
function editValidator(
  [moniker, rate, minSelfDelegation]: [string, string, bigint],
  call: PrecompileCall,
): [boolean] {
  const { account, tell } = delegatorOf(call);
  const validatorAddress = toBech32(account, BECH32_PREFIX.validator);
  const message = MsgEditValidator.fromPartial({
    description: {
      moniker: moniker === '' ? UNCHANGED : moniker,
      identity: UNCHANGED,
      website: UNCHANGED,
      securityContact: UNCHANGED,
      details: UNCHANGED,
    },
    validatorAddress,
    commissionRate: rate === '' ? '' : decimalAt(rate),
    minSelfDelegation: minSelfDelegation === 0n ? '' : minSelfDelegation.toString(),
  });
  runLedgerMessage({ ...MsgEditValidator, codec: MsgEditValidator }, message, call.ledger);
  return tell(eventLog(call, EDITED, [call.context.caller, validatorAddress, moniker]));
}

/** The caller as a delegator; `tell` puts what rewards were paid out on the way before the event. */
function delegatorOf(call: PrecompileCall) {
  const account = callerAccount(call);
  const delegatorAddress = toBech32(account);
  const tell = (log: Parameters<PrecompileCall['emit']>[0]): [boolean] => {
    tellWithdrawals(call, delegatorAddress);
    call.emit(log);
    return [true];
  };
  return { account, delegatorAddress, tell };
}

const coinOf = (amount: bigint) => ({ denom: BASE_DENOMINATION, amount: amount.toString() });

/** A decimal as messages carry it: scaled by 10^18. */
function decimalAt(text: string): string {
  const decimal = parseDecimal(text);
  if (decimal === undefined) throw refused(`${text.slice(0, 60)} is no decimal such as 0.05`);
  return decimal.toString();
}
