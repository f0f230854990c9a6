import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx';
import type { Coin } from 'cosmjs-types/cosmos/base/v1beta1/coin';
import { fromBech32, mapKeyOf } from '../../primitives/index.ts';
import type { PointReads } from '../../state/view/index.ts';
import { type BlockRecord, type Receipt, SYNTHETIC_TYPE } from '../../types/index.ts';
import { BASE_DENOMINATION, WEI_PER_UNIT } from '../denomination.ts';
import { isLedgerError } from '../ledgerError.ts';
import { messageOfPointer } from '../pointers/pointedMessages.ts';
import { pointerAddressOf } from '../pointers/pointerRows.ts';
import { evmAddressOf } from '../pointers/pointerTransfers.ts';
import { decodeLedgerTransaction, type LedgerTransaction } from '../transaction/decodeTransaction.ts';

/** A bank MsgSend that a block carried out, as the EVM would see it. */
export interface BankSend {
  /** Index of the ledger transaction in the block. */
  readonly ledgerIndex: number;
  /** EVM addresses: the associated ones, or the same 20 bytes. */
  readonly from: Uint8Array;
  readonly to: Uint8Array;
  /** The base denomination's part of the amount, in wei. */
  readonly valueWei: bigint;
  /** Whether a synthetic receipt tells of it. */
  readonly isSynthetic: boolean;
}

/** The successful MsgSends of a block, in ledger order (spec G-7). `state` knows the associations. */
export function bankSendsOf(record: BlockRecord, state: PointReads): BankSend[] {
  const { block, results, receipts } = record;
  const ofEvm = new Set(
    receipts.filter(({ type }) => type !== SYNTHETIC_TYPE).map((receipt) => receipt.ledgerIndex),
  );
  const synthetic = new Map(
    receipts.filter(({ type }) => type === SYNTHETIC_TYPE).map((receipt) => [receipt.ledgerIndex, receipt]),
  );
  const shown = (bech32: string): Uint8Array => evmAddressOf(state, fromBech32(bech32));
  return block.txs.flatMap((raw, ledgerIndex) => {
    if (ofEvm.has(ledgerIndex) || results[ledgerIndex]?.code !== 0) return [];
    const messages = ledgerTransactionOf(raw)?.messages ?? [];
    const pointers = new Set(synthetic.get(ledgerIndex)?.logs.map(({ address }) => mapKeyOf(address)));
    const isPointed = ({ denom }: Coin) =>
      pointers.size > 0 && pointers.has(mapKeyOf(pointerAddressOf(denom)));
    return messages.flatMap(({ typeUrl, value }) => {
      if (typeUrl !== MsgSend.typeUrl) return [];
      const { fromAddress, toAddress, amount } = MsgSend.decode(value);
      const base = amount.find(({ denom }) => denom === BASE_DENOMINATION);
      const valueWei = BigInt(base?.amount ?? '0') * WEI_PER_UNIT;
      const isSynthetic = amount.some(isPointed);
      return [{ ledgerIndex, from: shown(fromAddress), to: shown(toAddress), valueWei, isSynthetic }];
    });
  });
}

/** The protobuf bytes of the message that a synthetic receipt stands for (spec L-14). */
export function syntheticInputOf({ block }: BlockRecord, { ledgerIndex, to }: Receipt): Uint8Array {
  const messages = ledgerTransactionOf(block.txs[ledgerIndex] ?? new Uint8Array(0))?.messages ?? [];
  const message = (to && messageOfPointer(messages, to)) ?? messages[0];
  return message?.value ?? new Uint8Array(0);
}

/** `undefined` for bytes that are no transaction of the ledger. */
function ledgerTransactionOf(raw: Uint8Array): LedgerTransaction | undefined {
  try {
    return decodeLedgerTransaction(raw);
  } catch (error) {
    if (isLedgerError(error)) return undefined;
    throw error;
  }
}
