import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { trackedFiles } from '../support/trackedFiles.ts';

const ROOMS = /^node\/src\/(ledger|evm|execution|state|chain|history|consensus|mempool|comet)\/.*\.ts$/;
const NOT_PRODUCT = /\.test\.ts$|\.fixture\.ts$|Compliance\.ts$/;
/** A list as arguments of a function that takes any number of them. */
const SPREAD =
  /\b(push|unshift|splice|concatBytes|fromCharCode|Math\.(min|max))\((?:[^(){}[\]]|\([^()]*\))*\.\.\./;
/** Lists that this program makes itself, and that are short. */
const OWN = [
  // Code of the translator, some bytes at a time.
  /^node\/src\/evm\/wasm\/translator\//,
  /^node\/src\/state\/(flatKv\/blake3|commit\/sha256)\//,
  // The coordinates of one point.
  /^node\/src\/evm\/standard\/(bls12381|bn254)\.ts$/,
  // Slots of one account, which have a limit.
  /^node\/src\/mempool\/accountQueue\.ts$/,
  // Two children of a node, copies of one, snapshots of a directory, stores and their markers, parts of a key.
  /^node\/src\/state\/commit\/memiavl\/(treeIterator|retiredNodes)\.ts$/,
  /^node\/src\/state\/snapshot\/restore\/restoreTarget\.ts$/,
  /^node\/src\/state\/store\/(evmStore|recovery)\.ts$/,
  /^node\/src\/state\/flatKv\/engine\.ts$/,
  /^node\/src\/ledger\/(rowRange|bank\/metadata)\.ts$/,
];

const spreads = (text: string): string[] => text.split('\n').filter((line) => SPREAD.test(line));

it('never make arguments of a list that others choose', () => {
  const files = trackedFiles().filter(
    (file) => ROOMS.test(file) && !NOT_PRODUCT.test(file) && !OWN.some((own) => own.test(file)),
  );
  expect(files.length).toBeGreaterThan(300);
  const found = files.flatMap((file) =>
    spreads(readFileSync(file, 'utf8')).map((line) => `${file}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});

it('are told by the way they are written', () => {
  expect(spreads('rows.push(...eventRows(record));\nconcatBytes(Uint8Array.of(1), ...parts)')).toHaveLength(
    2,
  );
  expect(spreads('rows.push({ ...row });\nconcatAll([...rows]);\n[...rows].map(show)')).toEqual([]);
});
