import { isCodedError } from '@chain/platform';
import { EventLog, flushOverlay, type GasMeter, isLedgerError, MeteredOverlay } from '../../ledger/index.ts';
import { bytesToHex } from '../../primitives/index.ts';
import type { EvmLog } from '../../types/index.ts';
import { deployPointer } from '../pointer/deployPointer.ts';
import { decodeAbi } from './abi/decodeAbi.ts';
import { encodeAbi } from './abi/encodeAbi.ts';
import type { PrecompileContext } from './precompile.ts';
import { refused } from './precompileError.ts';
import { NO_RETURN_DATA, type PrecompileMethod, writesState } from './precompileMethod.ts';

const NO_BYTES = new Uint8Array(0);

/** A precompile as a table of methods. */
export interface MethodTable {
  /** 20 bytes. */
  readonly address: Uint8Array;
  /** For errors: `bank`. */
  readonly name: string;
  /** Its views, too, refuse DELEGATECALL and CALLCODE; what writes always does. */
  readonly refusesDelegation?: boolean;
  readonly methods: readonly PrecompileMethod[];
}

/** `undefined` for input that calls no method. */
export type MethodFinder = (input: Uint8Array) => PrecompileMethod | undefined;

export function methodFinder({ methods }: MethodTable): MethodFinder {
  const bySelector = new Map(methods.map((method) => [bytesToHex(method.abi.selector), method]));
  return (input) => (input.length < 4 ? undefined : bySelector.get(bytesToHex(input.subarray(0, 4))));
}

/**
 * Runs a method for a call: refuses what its mutability does not allow, and makes its writes those of the EVM's
 * overlay, so that they follow the EVM's marks. Throws what `isRefusal` knows; nothing is written then but a value
 * given back, which goes with the frame.
 */
export function runMethod(
  {
    table,
    method,
    body,
  }: { readonly table: MethodTable; readonly method: PrecompileMethod; readonly body: Uint8Array },
  context: PrecompileContext,
  meter: GasMeter,
): { readonly returnData: Uint8Array; readonly logs: readonly EvmLog[] } {
  checkCall(method, table, context);
  const { state, block } = context;
  const args = decodeAbi(method.abi.inputs, body);
  const overlay = new MeteredOverlay(state.overlay, meter);
  const events = new EventLog();
  const logs: EvmLog[] = [];
  const time = { seconds: block.timestamp, nanos: block.nanos };
  const results = method.run(args, {
    context,
    ledger: {
      overlay,
      events,
      meter,
      height: Number(block.number),
      time,
      deployPointer,
      pointerTransfers: [],
    },
    value: context.isDelegated ? 0n : context.value,
    address: table.address,
    emit: (log) => logs.push(log),
  });
  flushOverlay(overlay, state.overlay);
  if (events.events.length > 0) state.addLedgerEvents(events.events);
  const returnData = results === NO_RETURN_DATA ? NO_BYTES : encodeAbi(method.abi.outputs, results);
  return { returnData, logs };
}

function checkCall(
  method: PrecompileMethod,
  { name, refusesDelegation }: MethodTable,
  context: PrecompileContext,
): void {
  const writes = writesState(method);
  if (writes && context.isStatic) throw refused(`cannot call ${name} precompile from staticcall`);
  if ((writes || refusesDelegation) && context.isDelegated) throw refused(`cannot delegatecall ${name}`);
  const pays = context.value !== 0n && !context.isDelegated;
  if (pays && method.abi.mutability !== 'payable') throw refused('sending funds to a non-payable function');
}

/** Whether the call is to blame, and not this program. */
export function isRefusal(error: unknown): error is Error {
  const isOurs = isCodedError(error, 'EVM_PRECOMPILE_REFUSED') || isCodedError(error, 'EVM_ABI_INVALID');
  return isOurs || isLedgerError(error);
}
