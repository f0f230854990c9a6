import { toBech32, toHexData } from '../../primitives/index.ts';
import type { LedgerEvent } from '../../types/index.ts';
import type { ReceivedTransaction, Signer } from './receivedTransaction.ts';

/** ABCI events of an EVM transaction: who sent what, and the association its first transaction makes. */
export function transactionEvents(
  { transaction }: ReceivedTransaction,
  outcome: { readonly signer: Signer; readonly newlyAssociated: boolean; readonly vmError: string },
): LedgerEvent[] {
  const { signer, newlyAssociated, vmError } = outcome;
  const sender = toHexData(signer.evmAddress);
  const events = [
    event('evm_transaction', {
      hash: toHexData(transaction.hash),
      sender,
      nonce: transaction.nonce.toString(),
      vm_error: vmError,
    }),
  ];
  if (newlyAssociated) {
    events.push(event('address_associated', { chain_addr: toBech32(signer.chainAddress), evm_addr: sender }));
  }
  return events;
}

function event(type: string, attributes: Readonly<Record<string, string>>): LedgerEvent {
  return {
    type,
    attributes: Object.entries(attributes).map(([key, value]) => ({ key, value, index: value !== '' })),
  };
}
