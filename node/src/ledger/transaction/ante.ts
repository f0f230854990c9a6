import {
  bytesToHex,
  equalBytes,
  evmAddressOf,
  toBech32,
  uncompressPublicKey,
} from '../../primitives/index.ts';
import { type Account, accountKeyAny, ensureAccount, readAccount, writeAccount } from '../account.ts';
import { associate } from '../association.ts';
import { readChainAddress, readEvmAddress } from '../associationRows.ts';
import { readAccountWei } from '../balance.ts';
import { formatCoins, parseCoins } from '../bank/coins.ts';
import { transferCoins } from '../bank/transferCoins.ts';
import { BASE_DENOMINATION, WEI_PER_UNIT } from '../denomination.ts';
import { FEE_COLLECTOR_CHAIN_ADDRESS } from '../feeCollector.ts';
import { ledgerError } from '../ledgerError.ts';
import type { AnteContext } from '../messages/messageKind.ts';
import { AUTH_PARAMS } from './authParams.ts';
import type { LedgerTransaction } from './decodeTransaction.ts';
import { type AccountKey, addressOfKey, decodeKey, PLACEHOLDER_KEY } from './publicKey.ts';
import { claimOf, keysOf } from './signatureClaims.ts';
import { isSignatureOf } from './verifySignature.ts';

const MAX_GAS = 2n ** 63n - 1n;
/** Bytes that a signature with its key will add to a transaction that is simulated before it is signed. */
const SIGNATURE_BYTES = 112n;

/** What the ante stage is asked. */
export interface AnteOptions {
  /** Length of the raw transaction. */
  readonly bytes: number;
  /** Units of the base denomination that the fee must reach; 0 in blocks. */
  readonly minimumFee: bigint;
  /** CheckTx: a sequence above the account's may wait for the ones before it. */
  readonly mayBeAhead: boolean;
  /** A simulation has no signatures yet. */
  readonly simulates?: boolean;
}

/** What follows from the bytes alone, in the SDK's order. Throws LEDGER_REFUSED. */
export function checkLedgerShape(transaction: LedgerTransaction, height: number): void {
  const { body, fee, signatures, signers, signerInfos, messages } = transaction;
  if (body.extensionOptions.length > 0) throw ledgerError('extension');
  if (fee.gasLimit > MAX_GAS) {
    throw ledgerError('request', `invalid gas supplied; ${fee.gasLimit} > ${MAX_GAS}`);
  }
  feeOf(transaction);
  if (signatures.length === 0) throw ledgerError('noSignatures');
  if (signatures.length !== signers.length || signerInfos.length !== signers.length) {
    const got = signatures.length === signers.length ? signerInfos.length : signatures.length;
    throw ledgerError('unauthorized', `wrong number of signers; expected ${signers.length}, got ${got}`);
  }
  // Each has a key, which is decoded before the fee is paid.
  requireFewSignatures(signers.length);
  const { timeoutHeight, memo } = body;
  if (timeoutHeight > 0n && BigInt(height) > timeoutHeight) {
    throw ledgerError('timeout', `tx height: ${height}, timeout height: ${timeoutHeight}`);
  }
  // The SDK's characters are bytes.
  const length = Buffer.byteLength(memo);
  if (length > AUTH_PARAMS.maxMemoCharacters) {
    const numbers = `maximum number of characters is ${AUTH_PARAMS.maxMemoCharacters} but received ${length} characters`;
    throw ledgerError('memo', numbers);
  }
  for (const message of messages) message.validate();
}

function requireFewSignatures(count: number): void {
  if (count <= AUTH_PARAMS.maxSignatures) return;
  throw ledgerError('tooManySignatures', `signatures: ${count}, limit: ${AUTH_PARAMS.maxSignatures}`);
}

/** Units of the base denomination; other denominations pay no fees. Throws LEDGER_REFUSED. */
export function feeOf({ fee }: LedgerTransaction): bigint {
  const coins = parseCoins(fee.amount, { mayBeEmpty: true, kind: 'fee' });
  const other = coins.find(({ denomination }) => denomination !== BASE_DENOMINATION);
  if (other) throw ledgerError('fee', `fees are paid in ${BASE_DENOMINATION}, not in ${other.denomination}`);
  return coins[0]?.amount ?? 0n;
}

/**
 * Units of the base denomination that the fee's payer gives away at most: the fee, and what messages send in its name.
 * After `checkLedgerShape`.
 */
export function spentOf(transaction: LedgerTransaction): bigint {
  const { messages, feePayer } = transaction;
  const own = messages.filter(({ signers }) => equalBytes(signers[0]!, feePayer));
  const sent = own.flatMap(({ spends }) => spends).filter(({ denom }) => denom === BASE_DENOMINATION);
  return sent.reduce((sum, { amount }) => sum + BigInt(amount), feeOf(transaction));
}

/** The stateful checks and effects before the messages, in the SDK's order. Throws LEDGER_REFUSED. */
export function runAnte(transaction: LedgerTransaction, context: AnteContext, options: AnteOptions): void {
  const { meter, events } = context;
  meter.consume(AUTH_PARAMS.txSizeCostPerByte * BigInt(options.bytes), 'txSize');
  if (options.simulates) consumeMissingSignatures(transaction, context);
  const keys = keysOf(transaction);
  transaction.signers.forEach((signer, i) => {
    requireOwner(signer, { key: keys[i], index: i });
    associateSigner(signer, keys[i], context);
    makeFunded(signer, context);
  });
  payFee(transaction, context, options);
  const accounts = transaction.signers.map((signer, i) =>
    accountWithKey(signer, transaction, { context, options, index: i }),
  );
  const count = accounts.reduce((sum, { key }) => sum + (key.kind === 'multi' ? key.keys.length : 1), 0);
  requireFewSignatures(count);
  accounts.forEach(({ account, key }, i) => {
    consumeVerification(key, transaction, { index: i, context });
    checkSignature({ account, key }, transaction, { index: i, context, options });
    events.add('tx', { acc_seq: `${toBech32(account.address)}/${transaction.signerInfos[i]!.sequence}` });
    events.add('tx', { signature: Buffer.from(transaction.signatures[i]!).toString('base64') });
  });
  for (const { account } of accounts) {
    writeAccount(context.overlay, { ...account, sequence: account.sequence + 1n });
  }
}

function requireOwner(
  signer: Uint8Array,
  { key, index }: { key: AccountKey | undefined; index: number },
): void {
  if (!key || equalBytes(addressOfKey(key), signer)) return;
  const text = `pubKey does not match signer address ${toBech32(signer)} with signer index: ${index}`;
  throw ledgerError('publicKey', text);
}

/** The first signature binds the EVM address, so that what its cast account holds can pay (spec L-4). */
function associateSigner(
  signer: Uint8Array,
  key: AccountKey | undefined,
  { overlay, events }: AnteContext,
): void {
  if (key?.kind !== 'single' || readEvmAddress(overlay, signer)) return;
  const evmAddress = evmAddressOf(uncompressPublicKey(key.key));
  // Genesis may have bound the EVM address to another account; the signer then stays without one.
  if (readChainAddress(overlay, evmAddress)) return;
  const isKnown = readAccount(overlay, signer) !== undefined;
  if (!isKnown && readAccountWei(overlay, signer) + readAccountWei(overlay, evmAddress) === 0n) return;
  associate(overlay, { evmAddress, chainAddress: signer, publicKey: key.key });
  events.add('address_associated', { chain_addr: toBech32(signer), evm_addr: `0x${bytesToHex(evmAddress)}` });
}

/** What the EVM gave to an address made no account; its owner may sign all the same. */
function makeFunded(signer: Uint8Array, { overlay }: AnteContext): void {
  if (!readAccount(overlay, signer) && readAccountWei(overlay, signer) > 0n) ensureAccount(overlay, signer);
}

function payFee(
  transaction: LedgerTransaction,
  context: AnteContext,
  { minimumFee, simulates }: AnteOptions,
): void {
  const { fee, feePayer } = transaction;
  if (fee.granter !== '') throw ledgerError('notSupported', 'fee grants are not enabled');
  const stated = feeOf(transaction);
  // Who simulates does not know the fee yet, but will pay one, and the gas that paying takes.
  const mayPay = simulates && readAccountWei(context.overlay, feePayer) >= WEI_PER_UNIT;
  const amount = stated === 0n && mayPay ? 1n : stated;
  if (amount < minimumFee && !simulates) {
    const coins = (units: bigint) => `${units}${BASE_DENOMINATION}`;
    throw ledgerError('fee', `insufficient fees; got: ${coins(amount)} required: ${coins(minimumFee)}`);
  }
  const payer = toBech32(feePayer);
  if (!readAccount(context.overlay, feePayer)) {
    throw ledgerError('unknownAddress', `fee payer address: ${payer} does not exist`);
  }
  const coins = amount === 0n ? [] : [{ denomination: BASE_DENOMINATION, amount }];
  if (amount > 0n) transferCoins(context, { from: feePayer, to: FEE_COLLECTOR_CHAIN_ADDRESS, coins });
  context.events.add('tx', { fee: formatCoins(coins), fee_payer: payer });
}

function consumeMissingSignatures(transaction: LedgerTransaction, { overlay, meter }: AnteContext): void {
  transaction.signers.forEach((signer, i) => {
    if (transaction.signatures[i]!.length > 0) return;
    const account = readAccount(overlay, signer);
    const any = account && accountKeyAny(account);
    // Of several keys, as many may sign as are allowed.
    const most = any && decodeKey(any).kind === 'multi' ? BigInt(AUTH_PARAMS.maxSignatures) : 1n;
    meter.consume(AUTH_PARAMS.txSizeCostPerByte * SIGNATURE_BYTES * most, 'txSize');
  });
}

interface SignerAccount {
  readonly account: Account;
  readonly key: AccountKey;
}

function accountWithKey(
  signer: Uint8Array,
  transaction: LedgerTransaction,
  { context, index, options }: Place & { readonly options: AnteOptions },
): SignerAccount {
  const account = readAccount(context.overlay, signer);
  if (!account) throw ledgerError('unknownAddress', `account ${toBech32(signer)} does not exist`);
  // What the account row has was decoded when it was written.
  if (account.publicKey) return { account, key: { kind: 'single', key: account.publicKey } };
  if (account.otherKey) return { account, key: decodeKey(account.otherKey) };
  const key = keysOf(transaction)[index] ?? (options.simulates ? decodeKey(PLACEHOLDER_KEY) : undefined);
  if (!key) throw ledgerError('publicKey', 'pubkey on account is not set');
  const otherKey = transaction.signerInfos[index]!.publicKey;
  return { account: { ...account, ...(key.kind === 'single' ? { publicKey: key.key } : { otherKey }) }, key };
}

interface Place {
  readonly index: number;
  readonly context: AnteContext;
}

function consumeVerification(
  key: AccountKey,
  transaction: LedgerTransaction,
  { index, context }: Place,
): void {
  const members = transaction.signerInfos[index]!.modeInfo?.multi?.modeInfos.length ?? 0;
  const signatures = key.kind === 'multi' ? Math.min(members, key.keys.length) : 1;
  context.meter.consume(AUTH_PARAMS.secp256k1VerifyCost * BigInt(signatures), 'ante verify: secp256k1');
}

function checkSignature(
  { account, key }: SignerAccount,
  transaction: LedgerTransaction,
  { index, context, options }: Place & { readonly options: AnteOptions },
): void {
  const { sequence, modeInfo: mode } = transaction.signerInfos[index]!;
  const isDue = options.mayBeAhead ? sequence >= account.sequence : sequence === account.sequence;
  if (!isDue) {
    throw ledgerError('sequence', `account sequence mismatch, expected ${account.sequence}, got ${sequence}`);
  }
  if (options.simulates) return;
  const signer = {
    chainId: context.chainId,
    accountNumber: context.height === 0 ? 0n : account.accountNumber,
    sequence,
  };
  const { verified, refuted } = transaction.memory;
  const claim = claimOf(index, signer, key);
  if (verified.has(claim)) return;
  const signature = transaction.signatures[index]!;
  if (!refuted.has(claim) && isSignatureOf(key, { mode, signature }, { transaction, signer })) {
    verified.add(claim);
    return;
  }
  throw ledgerError(
    'unauthorized',
    `signature verification failed; please verify account number (${account.accountNumber}), sequence (${account.sequence}) and chain-id (${context.chainId})`,
  );
}
