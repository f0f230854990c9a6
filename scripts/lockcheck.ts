import { readFileSync } from 'node:fs';

/**
 * Fails when the lock file lost an optional (platform) package: `npm install` drops those that a registry
 * does not have without a word, and `npm ci` on another machine then breaks.
 */
type LockPackage = { optionalDependencies?: Record<string, string> };
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, LockPackage>;
};
const missing = Object.entries(lock.packages).flatMap(([path, { optionalDependencies = {} }]) =>
  Object.keys(optionalDependencies).filter(
    (name) => !lock.packages[`${path}/node_modules/${name}`] && !lock.packages[`node_modules/${name}`],
  ),
);
if (missing.length > 0) {
  console.error(
    `package-lock.json: no entry for optional ${missing.join(', ')}; pin a version whose platform packages exist`,
  );
  process.exit(1);
}
