/**
 * `npm run sbom -- ARTIFACT…` writes reports/sbom.cdx.json and reports/provenance.json (of the artifacts, such as image
 * archives); `npm run licences` lists licences and fails for one that is not taken; `npm run audit` asks the registry
 * for known faults of what is shipped.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { licenceTable, refusedLicences } from './supply/licences.ts';
import { lockedPackages } from './supply/lockPackages.ts';
import { provenance } from './supply/provenance.ts';
import { sbom } from './supply/sbom.ts';

const [command, ...artifacts] = process.argv.slice(2);
const NO_ANSWER = 2;

if (command === 'sbom') writeDocuments();
else if (command === 'licences') checkLicences();
else if (command === 'audit') process.exitCode = audit();
else {
  console.error('usage: node scripts/supplyChain.ts sbom [ARTIFACT…] | licences | audit');
  process.exitCode = 1;
}

function writeDocuments(): void {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
  const finishedOn = new Date().toISOString();
  mkdirSync('reports', { recursive: true });
  write('reports/sbom.cdx.json', sbom(lockedPackages(), { version }));
  if (artifacts.length > 0) write('reports/provenance.json', provenance({ artifacts, commit, finishedOn }));
  else console.log('no artifact is named, so there is no provenance; name archives of images');
}

function write(path: string, document: object): void {
  writeFileSync(path, `${JSON.stringify(document, null, 2)}\n`);
  console.log(`wrote ${path}`);
}

function checkLicences(): void {
  const packages = lockedPackages();
  const refused = refusedLicences(packages);
  console.log(licenceTable(packages));
  if (refused.length === 0) return;
  console.error(`licences that are not taken:\n${refused.join('\n')}`);
  process.exitCode = 1;
}

/** 0: no fault is known; 1: some are; 2: the registry does not say. */
function audit(): number {
  const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { encoding: 'utf8' });
  const answer = JSON.parse(stdout || '{}') as {
    readonly message?: string;
    readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string }>>;
  };
  if (answer.vulnerabilities === undefined) {
    const status = /\b\d{3} [A-Z][\w ]+/.exec(answer.message ?? '')?.[0] ?? 'no answer';
    console.error(`the registry does not say which faults are known (${status}); ask one that does`);
    return NO_ANSWER;
  }
  const found = Object.entries(answer.vulnerabilities);
  for (const [name, { severity }] of found) console.error(`${name}: ${severity}`);
  console.log(`${found.length} packages with known faults`);
  return found.length === 0 ? 0 : 1;
}
