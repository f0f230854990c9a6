import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError, parseJson, pathExists } from '@chain/platform';
import { CONFIG_FILES, isBelow, type SignFloor, type SignPlace } from '@chain/platform/contract';
import { raiseSignState, readSignState, readValidatorKey } from '../../keys/index.ts';
import { bytesToHex } from '../../primitives/index.ts';

const ADDRESS = /^[0-9a-f]{40}$/;
const NOTHING: SignPlace = { height: 0, round: 0, step: 0 };
const said = ({ height, round, step }: SignPlace): string => `height ${height}, round ${round}, step ${step}`;

/** A home that began with one validator key never takes another. Throws CONFIG_OTHER_KEY. */
export async function refuseOtherKey(home: string, given: string): Promise<void> {
  const own = join(home, CONFIG_FILES.validatorKey);
  const [theirs, ours] = [await addressIn(given), await addressIn(own)];
  if (theirs === ours) return;
  throw new CodedError(
    'CONFIG_OTHER_KEY',
    `${own} is the validator key ${ours}, and ${given} is ${theirs}: a home keeps the key that it began with; give that one, or an empty volume`,
    { fields: { home, own: ours, given: theirs } },
  );
}

/**
 * Refuses a home whose last-sign state is below what its key has signed at least, or raises that state where the floor
 * says so. Throws CONFIG_SIGN_STATE_BELOW, CONFIG_OTHER_KEY, CONFIG_GIVEN_FILE. Source: spec O-4.
 */
export async function keepSignFloor(home: string, path: string): Promise<void> {
  const floor = await readFloor(path);
  const address = await addressIn(join(home, CONFIG_FILES.validatorKey));
  if (address !== floor.address) {
    throw new CodedError(
      'CONFIG_OTHER_KEY',
      `the home has the validator key ${address}, and ${path} is of ${floor.address}; give the key that the home began with`,
      { fields: { home, own: address, given: floor.address } },
    );
  }
  const file = join(home, CONFIG_FILES.validatorState);
  const state = (await pathExists(file)) ? await readSignState(file) : NOTHING;
  if (!isBelow(state, floor)) return;
  if (floor.raise) return raiseSignState(file, floor.height);
  throw new CodedError(
    'CONFIG_SIGN_STATE_BELOW',
    `${file} knows of ${said(state)}, and this key has signed ${said(floor)}: it would sign twice. Bring back the volume that signed last`,
    { fields: { home, known: state.height, signed: floor.height } },
  );
}

const addressIn = async (path: string): Promise<string> => bytesToHex((await readValidatorKey(path)).address);

async function readFloor(path: string): Promise<SignFloor> {
  const floor = parseJson(await readFile(path, 'utf8')) as Partial<SignFloor> | null;
  const { address, height, round, step, raise } = floor ?? {};
  const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
  if (typeof address === 'string' && ADDRESS.test(address) && [height, round, step].every(isCount))
    return { address, height, round, step, raise: raise === true } as SignFloor;
  throw new CodedError('CONFIG_GIVEN_FILE', `${path} is no floor of a validator key; give another`, {
    fields: { path },
  });
}
