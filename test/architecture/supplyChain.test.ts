import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { refusedLicences } from '../../scripts/supply/licences.ts';
import { lockedPackages } from '../../scripts/supply/lockPackages.ts';
import { provenance } from '../../scripts/supply/provenance.ts';
import { sbom } from '../../scripts/supply/sbom.ts';

const entry = (license: string | undefined, dev = false) => ({ version: '1.0.0', license, dev });
const lockOf = (packages: object): string => JSON.stringify({ packages });

it('every package has a licence that is taken', () => {
  expect(refusedLicences(lockedPackages())).toEqual([]);
});

it.each([
  ['MIT', false, true],
  ['(MIT OR GPL-3.0)', false, true],
  ['(Apache-2.0 AND BSD-3-Clause)', false, true],
  ['(MIT AND GPL-3.0)', false, false],
  ['GPL-3.0', true, false],
  ['LGPL-3.0', true, true],
  ['LGPL-3.0', false, false],
  [undefined, true, false],
] as const)('licence %s (of a tool: %s) is taken: %s', (license, dev, isTaken) => {
  const lock = lockOf({ 'node_modules/a': entry(license, dev) });
  expect(refusedLicences(lockedPackages(lock)).length === 0).toBe(isTaken);
});

it('what is shipped anywhere in the tree counts as shipped', () => {
  const lock = lockOf({
    'node_modules/a': entry('MIT', true),
    'node_modules/b/node_modules/a': entry('MIT'),
    'node_modules/@chain/node': { link: true },
    node: { version: '1' },
  });
  expect(lockedPackages(lock)).toEqual([{ name: 'a', version: '1.0.0', isDev: false, license: 'MIT' }]);
});

it('the bill of materials has what is shipped, each with digest and licence, and is the same each time', () => {
  const packages = lockedPackages();
  const made = sbom(packages, { version: '6.5.0' }) as {
    readonly serialNumber: string;
    readonly components: readonly {
      readonly purl: string;
      readonly hashes?: object;
      readonly licenses?: object;
    }[];
  };
  expect(made.components).toHaveLength(packages.filter(({ isDev }) => !isDev).length);
  expect(new Set(made.components.map(({ purl }) => purl)).size).toBe(made.components.length);
  for (const component of made.components) {
    expect(component.purl).toMatch(/^pkg:npm\/(%40[^/@]+\/)?[^/@]+@[^@]+$/);
    expect([component.hashes, component.licenses], component.purl).toEqual([
      [expect.anything()],
      [expect.anything()],
    ]);
  }
  expect(made.serialNumber).toMatch(
    /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/,
  );
  expect(sbom(lockedPackages(), { version: '6.5.0' })).toEqual(made);
});

it('the provenance names the artifact, the commit and the lock file by their digests', () => {
  const sha256 = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');
  const made = provenance({
    artifacts: ['package.json'],
    commit: 'c0ffee',
    finishedOn: '2026-01-01T00:00:00Z',
  });
  expect(made).toMatchObject({
    subject: [{ name: 'package.json', digest: { sha256: sha256('package.json') } }],
    predicate: {
      buildDefinition: {
        resolvedDependencies: [
          { name: 'source', digest: { gitCommit: 'c0ffee' } },
          { name: 'package-lock.json', digest: { sha256: sha256('package-lock.json') } },
          { name: 'Dockerfile' },
        ],
      },
    },
  });
});
