import { GasMeter, isLedgerError } from '../../ledger/index.ts';
import { READ_BYTE_GAS } from './inputGas.ts';
import type { Precompile, PrecompileOutcome } from './precompile.ts';
import { refused } from './precompileError.ts';
import { writesState } from './precompileMethod.ts';
import { isRefusal, type MethodTable, methodFinder, runMethod } from './runMethod.ts';

/** What a call costs beside the ledger's gas: the Cosmos SDK's prices of a read and of a write (spec L-10). */
const QUERY_GAS = { base: 1_000n, perByte: READ_BYTE_GAS } as const;
const WRITE_GAS = { base: 2_000n, perByte: 30n } as const;
const NO_BYTES = new Uint8Array(0);
const OUT_OF_GAS = 11;

/**
 * A precompile over the ledger: its state access costs the ledger's gas, and what fails writes nothing and takes all
 * gas (spec L-10).
 */
export function ledgerPrecompile(table: MethodTable): Precompile {
  const methodOf = methodFinder(table);
  return {
    address: table.address,
    run: (input, context): PrecompileOutcome => {
      const { gasLimit, state } = context;
      try {
        const method = methodOf(input);
        if (!method) throw refused(`${table.name} has no such method`);
        const body = input.subarray(4);
        const meter = new GasMeter(gasLimit);
        const { base, perByte } = writesState(method) ? WRITE_GAS : QUERY_GAS;
        meter.consume(base + perByte * BigInt(body.length), 'call');
        const { returnData, logs } = runMethod({ table, method, body }, context, meter);
        return { status: 'success', returnData, gasUsed: meter.consumed, logs };
      } catch (error) {
        if (!isRefusal(error)) throw error;
        if (isOutOfGas(error)) return { status: 'success', returnData: NO_BYTES, gasUsed: gasLimit + 1n };
        state.notePrecompileFailure(error.message);
        return { status: 'reverted', returnData: NO_BYTES, gasUsed: gasLimit };
      }
    },
  };
}

function isOutOfGas(error: unknown): boolean {
  return isLedgerError(error) && error.fields.codespace === 'sdk' && error.fields.abciCode === OUT_OF_GAS;
}
