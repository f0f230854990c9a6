import { CodedError } from '@chain/platform';
import { EvmState, type StateEdit, unwrapStateEdit } from '../../evm/index.ts';
import type { Overlay } from '../../state/view/index.ts';
import type { BlockResultsBuilder } from '../blockResultsBuilder.ts';
import { chooseBaseFee } from '../feeMarket/baseFee.ts';
import { rejectedResult, rejection } from '../transaction/rejection.ts';

/** Runs a ledger transaction of a development home if it is an edit of state; tells whether it was one. */
export function editState(raw: Uint8Array, overlay: Overlay, ledger: BlockResultsBuilder): boolean {
  let edit: StateEdit | undefined;
  try {
    edit = unwrapStateEdit(raw);
  } catch (cause) {
    if (!(cause instanceof CodedError)) throw cause;
    ledger.addResult(rejectedResult(rejection('REQUEST', cause.message, { cause }), 0n));
    return true;
  }
  if (!edit) return false;
  apply(edit, overlay, ledger);
  ledger.addSuccess();
  return true;
}

function apply(edit: StateEdit, overlay: Overlay, ledger: BlockResultsBuilder): void {
  // One of its own: what a transaction remembers while it runs is no business of an edit.
  const state = new EvmState(overlay);
  switch (edit.kind) {
    case 'balance':
      state.setBalance(edit.address, edit.wei);
      break;
    case 'nonce':
      state.setNonce(edit.address, edit.nonce);
      break;
    case 'code':
      state.setCode(edit.address, edit.code);
      break;
    case 'storage':
      state.setStorage(edit.address, edit.slot, edit.word);
      break;
    case 'baseFee':
      chooseBaseFee(overlay, edit.wei);
      ledger.chosenBaseFee = edit.wei;
  }
}
