import { readFileSync } from 'node:fs';
import { parseJson } from '@chain/platform';

const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');

/** The operator's own version. */
export const RELEASE: string = (parseJson(manifest) as { version: string }).version;

/** By which the API server's audit and its flow schemas know the operator. */
export const USER_AGENT = `chain-operator/${RELEASE} (${process.platform}/${process.arch})`;
