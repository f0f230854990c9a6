import { Request } from 'cosmjs-types/tendermint/abci/types';
import { readNonce } from '../../../node/src/evm/stateReads.ts';
import { signRaw, testAccount } from '../../../node/src/execution/testChain.fixture.ts';
import { readAccount } from '../../../node/src/ledger/index.ts';
import { concatBytes, encodeRlp, toBech32, utf8 } from '../../../node/src/primitives/index.ts';
import type { PointReads } from '../../../node/src/state/view/index.ts';
import type { Random } from '../random.ts';
import { accountText, validatorGenesis } from '../validatorChain.ts';
import type { TestBlock } from './blockFile.ts';
import type { DecoderInput } from './decoders.ts';
import { EVM_ATTACKS } from './evmAttacks.ts';
import { abiCall, hostileAbi, offsetsToOneText } from './hostileAbi.ts';
import { hostileJson } from './hostileJson.ts';
import { LEDGER_ATTACKS, MULTISIG, nestedKey, send } from './ledgerAttacks.ts';
import { PRECOMPILE_METHODS } from './precompileMethods.ts';
import { damagedBytes, damagedMessage, groups, nested } from './protobufDamage.ts';
import { DIRECT, type LedgerSigner, signedBy } from './signLedgerBytes.ts';
import { ACCOUNTS } from './stateMachine.ts';

/** Transactions in a block, at most one by each account. */
const MAX_TRANSACTIONS = 6;
const LEDGER_KINDS = Object.values(LEDGER_ATTACKS);
const EVM_KINDS = Object.values(EVM_ATTACKS);

/** The block that funds the account of several keys. */
export function openingBlock(state: PointReads): TestBlock {
  const signer = signerOf(state, 0);
  return {
    txs: [signedBy(signer, { messages: [send(accountText(0), toBech32(MULTISIG), 1_000_000)] })],
    inputs: [],
  };
}

/**
 * What once split replicas, or took a gigabyte: an ordinary transfer whose mode lies beside another, 2,400 deep; the
 * same of keys; groups that decoders pass over by recursion; a list of offsets that all lead to one text; lists of
 * as many items as no stack takes for arguments.
 */
export function knownAttacks(state: PointReads): TestBlock {
  const transfer = (seed: number) => [send(accountText(seed), accountText(0), 1)];
  const deep = concatBytes(DIRECT, nested([2, 2], 4_800, new Uint8Array(0)));
  const withdraw = PRECOMPILE_METHODS.find(({ name }) => name === 'withdrawMultipleDelegationRewards')!;
  const nonce = readNonce(state, testAccount(6).evmAddress);
  const data = concatBytes(withdraw.selector, offsetsToOneText(3_000));
  const list = PRECOMPILE_METHODS.find(({ name }) => name === 'extractAsBytesList')!;
  const items = abiCall(list, [utf8(`{"a":[${'1,'.repeat(50_000)}1]}`), 'a']);
  const storageKeys = new Array<Uint8Array>(12_000).fill(new Uint8Array(32));
  const accessList = [{ address: withdraw.address, storageKeys }];
  const ofSeven = readNonce(state, testAccount(7).evmAddress);
  return {
    txs: [
      signedBy(signerOf(state, 1), { messages: transfer(1), modeInfo: deep }),
      signedBy(signerOf(state, 2), { messages: transfer(2), publicKey: nestedKey(600, testAccount(2)) }),
      signedBy(signerOf(state, 3), { messages: transfer(3), moreRaw: groups(1, 100_000) }),
      signedBy(signerOf(state, 4), { messages: transfer(4), moreBody: groups(1_031, 9_000, false) }),
      signedBy(signerOf(state, 5), { messages: transfer(5) }),
      signRaw(testAccount(6), { nonce, to: withdraw.address, data, gasLimit: 12_000_000n }),
      signRaw(testAccount(7), { nonce: ofSeven, to: list.address, data: items, gasLimit: 17_000_000n }),
      signRaw(testAccount(0), { to: withdraw.address, accessList }),
    ],
    inputs: [],
  };
}

/** The next block by the state before it. */
export function hostileBlock(random: Random, state: PointReads): TestBlock {
  const seeds = Array.from({ length: ACCOUNTS }, (_, seed) => seed);
  const txs: Uint8Array[] = [];
  for (let count = random.below(MAX_TRANSACTIONS + 1); count > 0; count--) {
    const [seed = 0] = seeds.splice(random.below(seeds.length), 1);
    txs.push(
      random.below(2) === 0
        ? random.pick(EVM_KINDS)(random, {
            key: testAccount(seed),
            nonce: readNonce(state, testAccount(seed).evmAddress),
          })
        : ledgerTransaction(random, state, seed),
    );
  }
  return { txs, inputs: [decoderInput(random, txs[0] ?? utf8('nothing'))] };
}

function ledgerTransaction(random: Random, state: PointReads, seed: number): Uint8Array {
  const kind = random.pick(LEDGER_KINDS);
  return kind(random, kind === LEDGER_ATTACKS.multisig ? multisigOf(state) : signerOf(state, seed));
}

function signerOf(state: PointReads, seed: number): LedgerSigner {
  const key = testAccount(seed);
  const { accountNumber, sequence } = readAccount(state, key.chainAddress)!;
  return { seed, key, accountNumber, sequence };
}

function multisigOf(state: PointReads): LedgerSigner {
  const { accountNumber, sequence } = readAccount(state, MULTISIG)!;
  return { seed: 2, key: testAccount(2), accountNumber, sequence };
}

/** Bytes for a decoder that no transaction reaches. */
function decoderInput(random: Random, tx: Uint8Array): DecoderInput {
  const genesis = JSON.stringify(validatorGenesis({ stakes: [5e6] }));
  return random.pick<() => DecoderInput>([
    () => ({ decoder: 'transaction', bytes: damagedMessage(random, tx) }),
    () => ({ decoder: 'envelope', bytes: damagedMessage(random, tx) }),
    () => ({ decoder: 'ethereum', bytes: damagedBytes(random, encodeRlp([tx, [tx, [tx.subarray(0, 3)]]])) }),
    () => ({
      decoder: 'rlp',
      bytes: Uint8Array.from({ length: random.below(3_000) }, () => 0xc1 + random.below(3)),
    }),
    () => ({ decoder: 'abi', bytes: hostileAbi(random, random.pick(PRECOMPILE_METHODS)) }),
    () => ({ decoder: 'json', bytes: hostileJson(random) }),
    () => ({ decoder: 'abci', bytes: damagedBytes(random, checkRequest(tx)) }),
    () => ({ decoder: 'commit', bytes: damagedMessage(random, tx) }),
    () => ({ decoder: 'genesis', bytes: damagedBytes(random, utf8(genesis)) }),
    () => ({ decoder: 'genesisDoc', bytes: damagedBytes(random, utf8(genesis)) }),
    () => ({ decoder: 'snapshot', bytes: damagedMessage(random, tx) }),
    () => ({ decoder: 'chunkHashes', bytes: damagedMessage(random, tx) }),
    () => ({ decoder: 'changelog', bytes: damagedMessage(random, tx) }),
  ])();
}

const checkRequest = (tx: Uint8Array): Uint8Array =>
  Request.encode(Request.fromPartial({ checkTx: { tx } })).finish();
