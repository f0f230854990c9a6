import { readFileSync } from 'node:fs';
import { parseJson } from '@chain/platform';

const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');

/** The version of this program. */
export const RELEASE: string = (parseJson(manifest) as { version: string }).version;
