import { hasFork, INSTRUCTIONS, instructionOf, Op } from '../../node/src/evm/index.ts';

/** How many cases ran what: opcodes by name, precompiles by number, transaction types by number. */
export interface Coverage {
  readonly opcodes: Map<string, number>;
  readonly precompiles: Map<number, number>;
}

interface Frame {
  readonly to?: string;
  readonly calls?: readonly Frame[];
}

const PRECOMPILE = /^0x0{38}(0[1-9a-f]|1[01])$/;
const LAST_PRECOMPILE = 0x11;

/** Every opcode of Prague, and the one that always fails. */
export const OPCODES: readonly string[] = [
  ...INSTRUCTIONS.filter(({ since }) => since !== undefined && hasFork('prague', since)),
  instructionOf(Op.INVALID),
]
  .toSorted((a, b) => a.opcode - b.opcode)
  .map(({ name }) => name);
export const PRECOMPILES: readonly number[] = Array.from(
  { length: LAST_PRECOMPILE },
  (_, index) => index + 1,
);

export function newCoverage(): Coverage {
  return { opcodes: new Map(), precompiles: new Map() };
}

/** Counts one case by its struct logs and its tree of calls. */
export function note(
  { opcodes, precompiles }: Coverage,
  logs: readonly { readonly op: string }[],
  top: Frame,
): void {
  for (const op of new Set(logs.map((log) => log.op))) opcodes.set(op, (opcodes.get(op) ?? 0) + 1);
  for (const number of new Set(precompilesIn(top)))
    precompiles.set(number, (precompiles.get(number) ?? 0) + 1);
}

function precompilesIn({ to, calls = [] }: Frame): number[] {
  return [...(to && PRECOMPILE.test(to) ? [Number(to)] : []), ...calls.flatMap(precompilesIn)];
}

/** The page docs/reference/evmCoverage.md. */
export function coveragePage({ opcodes, precompiles }: Coverage, cases: number): string {
  const rows = OPCODES.map(
    (name) => `| \`${name === 'DIFFICULTY' ? 'PREVRANDAO' : name}\` | ${opcodes.get(name) ?? 0} |`,
  );
  const addresses = PRECOMPILES.map(
    (number) => `| \`0x${number.toString(16).padStart(2, '0')}\` | ${precompiles.get(number) ?? 0} |`,
  );
  return `# What the comparison with geth runs
${cases} generated calls, each in a world of its own, give the same gas, outputs, logs, steps, calls and changes of
state on this node and on geth 1.16.7 (\`npm run test:soak\` repeats it and writes this page). The numbers are of
cases that ran an opcode or a precompile at least once.

| Opcode | Cases |
|---|---|
${rows.join('\n')}

| Precompile | Cases |
|---|---|
${addresses.join('\n')}
`;
}
