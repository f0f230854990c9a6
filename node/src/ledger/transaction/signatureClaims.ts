import { bytesToHex } from '../../primitives/index.ts';
import type { SignatureQuestion } from '../../signatures/index.ts';
import type { PointReads } from '../../state/view/index.ts';
import { readAccount } from '../account.ts';
import type { LedgerTransaction } from './decodeTransaction.ts';
import { type AccountKey, decodeKey } from './publicKey.ts';
import type { SignerData } from './signBytes.ts';
import { singleSignature } from './verifySignature.ts';

/** The keys that the signers name. Throws LEDGER_REFUSED. */
export function keysOf({ signerInfos, memory }: LedgerTransaction): readonly (AccountKey | undefined)[] {
  memory.keys ??= signerInfos.map((info) => info.publicKey && decodeKey(info.publicKey));
  return memory.keys;
}

/** What a signature is good for; the transaction remembers it by this. */
export function claimOf(index: number, signer: SignerData, key: AccountKey): string {
  return `${index}/${signer.accountNumber}/${signer.chainId}/${keyText(key)}`;
}

function keyText(key: AccountKey): string {
  return key.kind === 'single' ? bytesToHex(key.key) : `${key.threshold}:${key.keys.map(bytesToHex).join()}`;
}

/**
 * The signatures that the ante stage will look at, to be verified ahead: those of single keys, where the state knows
 * the account and the sequence is not used up. What is left out, the stage verifies itself. Throws LEDGER_REFUSED.
 */
export function signatureQuestions(
  transaction: LedgerTransaction,
  state: PointReads,
  chainId: string,
): SignatureQuestion[] {
  const { signers, signerInfos, signatures } = transaction;
  if (signatures.length !== signers.length || signerInfos.length !== signers.length) return [];
  return signers.flatMap((signer, index) => {
    const account = readAccount(state, signer);
    const { sequence, modeInfo } = signerInfos[index]!;
    if (!account || account.otherKey || sequence < account.sequence) return [];
    const key = account.publicKey ? single(account.publicKey) : keysOf(transaction)[index];
    if (key?.kind !== 'single' || !modeInfo) return [];
    const { accountNumber } = account;
    const signed = { transaction, signer: { chainId, accountNumber, sequence } };
    const claim = claimOf(index, signed.signer, key);
    const { verified, refuted } = transaction.memory;
    if (verified.has(claim) || refuted.has(claim)) return [];
    const asked = singleSignature(key.key, { mode: modeInfo, signature: signatures[index]! }, signed);
    if (!asked) return [];
    return [{ ...asked, answered: (isGood: boolean) => void (isGood ? verified : refuted).add(claim) }];
  });
}

const single = (key: Uint8Array): AccountKey => ({ kind: 'single', key });
