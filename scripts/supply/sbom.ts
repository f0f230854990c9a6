import { createHash } from 'node:crypto';
import type { LockedPackage } from './lockPackages.ts';

/** A bill of materials of what is shipped. Source: CycloneDX 1.6, JSON. */
export function sbom(packages: readonly LockedPackage[], { version }: { readonly version: string }): object {
  const components = packages.filter(({ isDev }) => !isDev).map(componentOf);
  const application = { type: 'application', 'bom-ref': 'chain', name: 'chain', version };
  // The same packages give the same document: no time, and a number that follows from them.
  const digest = createHash('sha256')
    .update(JSON.stringify([application, components]))
    .digest('hex');
  const serial = digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-5$3-a$4-$5');
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${serial}`,
    version: 1,
    metadata: { component: application },
    components,
  };
}

function componentOf({ name, version, license, sha512 }: LockedPackage): object {
  const purl = `pkg:npm/${name.replace(/^@/, '%40')}@${version}`;
  const isExpression = license !== undefined && / (AND|OR) /.test(license);
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    purl,
    ...(license !== undefined && {
      licenses: [isExpression ? { expression: license } : { license: { id: license } }],
    }),
    ...(sha512 !== undefined && { hashes: [{ alg: 'SHA-512', content: sha512 }] }),
  };
}
