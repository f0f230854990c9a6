import { SignDoc } from 'cosmjs-types/cosmos/tx/v1beta1/tx';
import { utf8 } from '../../primitives/index.ts';
import type { LedgerTransaction } from './decodeTransaction.ts';

/** Whose signature it is, and on which chain. */
export interface SignerData {
  readonly chainId: string;
  readonly accountNumber: bigint;
  readonly sequence: bigint;
}

/** What SIGN_MODE_DIRECT signs. */
export function directSignBytes(
  transaction: Pick<LedgerTransaction, 'bodyBytes' | 'authInfoBytes'>,
  signer: SignerData,
): Uint8Array {
  const { bodyBytes, authInfoBytes } = transaction;
  const { chainId, accountNumber } = signer;
  return SignDoc.encode({ bodyBytes, authInfoBytes, chainId, accountNumber }).finish();
}

/** What SIGN_MODE_LEGACY_AMINO_JSON signs: sorted JSON without spaces. */
export function aminoSignBytes(transaction: LedgerTransaction, signer: SignerData): Uint8Array {
  const { body, fee, messages } = transaction;
  const document = {
    account_number: signer.accountNumber.toString(),
    chain_id: signer.chainId,
    fee: {
      amount: fee.amount,
      gas: fee.gasLimit.toString(),
      ...(fee.payer && { payer: fee.payer }),
      ...(fee.granter && { granter: fee.granter }),
    },
    memo: body.memo,
    msgs: messages.map((message) => message.amino()),
    sequence: signer.sequence.toString(),
    ...(body.timeoutHeight > 0n && { timeout_height: body.timeoutHeight.toString() }),
  };
  return utf8(sortedJson(document));
}

/** JSON with members in order of their names, and HTML's characters escaped as Go does. */
function sortedJson(value: unknown): string {
  const text = JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
  return text.replace(
    /[<>&\u2028\u2029]/g,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
