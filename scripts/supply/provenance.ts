import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

interface Build {
  /** Files that were built: archives of images, packages. */
  readonly artifacts: readonly string[];
  readonly commit: string;
  /** RFC 3339. */
  readonly finishedOn: string;
}

/** What was built from what, unsigned. Source: in-toto Statement 1 with the predicate of SLSA provenance 1. */
export function provenance({ artifacts, commit, finishedOn }: Build): object {
  const inputs = ['package-lock.json', 'Dockerfile'].map((path) => ({
    name: path,
    digest: { sha256: sha256Of(path) },
  }));
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: artifacts.map((path) => ({ name: basename(path), digest: { sha256: sha256Of(path) } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:chain:dockerfile:v1',
        externalParameters: { commit },
        resolvedDependencies: [{ name: 'source', digest: { gitCommit: commit } }, ...inputs],
      },
      runDetails: { builder: { id: 'urn:chain:builder:local' }, metadata: { finishedOn } },
    },
  };
}

const sha256Of = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');
