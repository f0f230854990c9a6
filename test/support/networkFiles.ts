import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { GENERAL_WRAPPERS } from '@chain/platform/wasmWrappers';

const SCRIPT = 'scripts/testNetwork.ts';

/** Genesis and keys of the validators of k8s/testNetwork, new ones: those of another suite may be there. */
export async function makeNetworkFiles(): Promise<void> {
  await promisify(execFile)(process.execPath, [GENERAL_WRAPPERS, SCRIPT, '--anew']);
}
