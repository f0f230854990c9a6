import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx';
import { fromBech32 } from '../../primitives/index.ts';
import type { PointReads } from '../../state/view/index.ts';
import { type BlockRecord, SYNTHETIC_TYPE } from '../../types/index.ts';
import { readEvmAddress } from '../associationRows.ts';
import { BASE_DENOMINATION, WEI_PER_UNIT } from '../denomination.ts';
import { isLedgerError } from '../ledgerError.ts';
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
}

/** The successful MsgSends of a block, in ledger order (json-rpc.md §3.6). `state` knows the associations. */
export function bankSendsOf(record: BlockRecord, state: PointReads): BankSend[] {
  const { block, results, receipts } = record;
  const ofEvm = new Set(
    receipts.filter(({ type }) => type !== SYNTHETIC_TYPE).map((receipt) => receipt.ledgerIndex),
  );
  const evmAddressOf = (bech32: string): Uint8Array => {
    const address = fromBech32(bech32);
    return readEvmAddress(state, address) ?? address;
  };
  return block.txs.flatMap((raw, ledgerIndex) => {
    if (ofEvm.has(ledgerIndex) || results[ledgerIndex]?.code !== 0) return [];
    const sends =
      ledgerTransactionOf(raw)?.messages.filter(({ typeUrl }) => typeUrl === MsgSend.typeUrl) ?? [];
    return sends.map(({ value }) => {
      const { fromAddress, toAddress, amount } = MsgSend.decode(value);
      const base = amount.find(({ denom }) => denom === BASE_DENOMINATION);
      const valueWei = BigInt(base?.amount ?? '0') * WEI_PER_UNIT;
      return { ledgerIndex, from: evmAddressOf(fromAddress), to: evmAddressOf(toAddress), valueWei };
    });
  });
}

/** `undefined` for bytes that are no transaction of the ledger. */
export function ledgerTransactionOf(raw: Uint8Array): LedgerTransaction | undefined {
  try {
    return decodeLedgerTransaction(raw);
  } catch (error) {
    if (isLedgerError(error)) return undefined;
    throw error;
  }
}
