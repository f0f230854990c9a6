import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { hexOf } from './gasCases.ts';

export interface GethWork {
  readonly code: string;
  readonly input: Uint8Array;
  readonly osaka: boolean | undefined;
  readonly gas: bigint;
  readonly seconds: number;
}

const PROGRAM = resolve('node_modules/.cache/geth/bin/gas');

/** Mgas a second of processor time of each work on go-ethereum's EVM; `undefined` where Go is not there. */
export function gethRates(works: readonly GethWork[]): readonly number[] | undefined {
  try {
    execFileSync('go', ['build', '-trimpath', '-o', PROGRAM, '.'], {
      cwd: 'test/bench/gethGas',
      stdio: 'ignore',
    });
  } catch {
    console.log('  go-ethereum could not be built (is Go installed?); its rates are left out');
    return undefined;
  }
  const lines = works.map(({ code, input, osaka = false, gas, seconds }) =>
    JSON.stringify({ code, input: hexOf(input), osaka, gas: Number(gas), seconds }),
  );
  const output = execFileSync(PROGRAM, { input: lines.join('\n'), encoding: 'utf8' });
  return output.trim().split('\n').map(Number);
}
