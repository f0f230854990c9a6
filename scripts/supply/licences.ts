import type { LockedPackage } from './lockPackages.ts';

/** Licences that what is shipped may have: none asks for the source of the whole. */
const SHIPPED = new Set([
  'MIT',
  'ISC',
  'Apache-2.0',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'Unlicense',
  'MPL-2.0',
  'PSF-2.0',
  'Zlib',
  'CC0-1.0',
  'Python-2.0',
]);
/** Those of tools and tests beside them, of which nothing is in an image. */
const TOOLS = new Set([...SHIPPED, 'LGPL-3.0']);

/** Packages whose licence is not known, or not one of those that are taken; one line each. */
export function refusedLicences(packages: readonly LockedPackage[]): string[] {
  return packages.flatMap(({ name, version, license, isDev }) => {
    if (license !== undefined && isTaken(license, isDev ? TOOLS : SHIPPED)) return [];
    const where = isDev ? 'a tool or test' : 'shipped';
    return [`${name}@${version} (${where}): ${license ?? 'says no licence'}`];
  });
}

/** All of `A AND B`, one of `A OR B`; nothing deeper is in use. */
function isTaken(expression: string, taken: ReadonlySet<string>): boolean {
  const plain = expression.replace(/^\(|\)$/g, '');
  const of = plain.split(' AND ');
  return of.every((part) => part.split(' OR ').some((licence) => taken.has(licence.replace(/[()]/g, ''))));
}

/** How many packages have each licence, the most used first. */
export function licenceTable(packages: readonly LockedPackage[]): string {
  const rows = new Map<string, number>();
  for (const { license = 'none' } of packages) rows.set(license, (rows.get(license) ?? 0) + 1);
  return [...rows]
    .sort(([, a], [, b]) => b - a)
    .map(([licence, count]) => `${String(count).padStart(5)}  ${licence}`)
    .join('\n');
}
