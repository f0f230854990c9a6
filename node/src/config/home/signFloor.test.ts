import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CONFIG_FILES, type SignFloor } from '@chain/platform/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createValidatorKey, raiseSignState, readSignState, rewindSignState } from '../../keys/index.ts';
import { bytesToHex } from '../../primitives/index.ts';
import { initialiseHome } from './initialiseHome.ts';
import { keepSignFloor, refuseOtherKey } from './signFloor.ts';

let directory: string;
let home: string;
let given: string;
let address: string;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'sign-floor-'));
  [home, given] = [join(directory, 'home'), join(directory, 'key.json')];
  address = bytesToHex((await createValidatorKey(given)).address);
  const chain = { chainId: 'floor-1', evmChainId: 7n, mode: 'validator', engine: 'cometbft' } as const;
  await initialiseHome({ home, moniker: 'v', ...chain, overwrite: false, given: { validatorKey: given } });
});
afterEach(() => rmSync(directory, { recursive: true }));

const floor = (over: Partial<SignFloor> = {}): string => {
  const path = join(directory, 'floor.json');
  writeFileSync(path, JSON.stringify({ address, height: 5, round: 1, step: 2, raise: false, ...over }));
  return path;
};
const state = () => readSignState(join(home, CONFIG_FILES.validatorState));

describe('a home with a validator key', () => {
  it('is refused when it knows of less than the key has signed, down to round and step', async () => {
    const below = { code: 'CONFIG_SIGN_STATE_BELOW' };
    await expect(keepSignFloor(home, floor())).rejects.toMatchObject(below);
    await raiseSignState(join(home, CONFIG_FILES.validatorState), 5);
    await expect(keepSignFloor(home, floor({ round: 0x7fffffff, step: 3 }))).resolves.toBe(undefined);
    await expect(keepSignFloor(home, floor({ height: 6, round: 0, step: 1 }))).rejects.toMatchObject(below);
    expect((await state()).height).toBe(5);
  });

  it('is refused without a last-sign state, and takes one that is at the floor or above', async () => {
    rmSync(join(home, CONFIG_FILES.validatorState));
    await expect(keepSignFloor(home, floor())).rejects.toMatchObject({ code: 'CONFIG_SIGN_STATE_BELOW' });
    await expect(keepSignFloor(home, floor({ height: 0, round: 0, step: 0 }))).resolves.toBe(undefined);
  });

  it('signs nothing up to the floor where that is asked for, and never goes back', async () => {
    await keepSignFloor(home, floor({ height: 1_000, raise: true }));
    expect(await state()).toMatchObject({ height: 1_000, round: 0x7fffffff, step: 3 });
    await keepSignFloor(home, floor({ height: 10, raise: true }));
    expect((await state()).height).toBe(1_000);
    await rewindSignState(join(home, CONFIG_FILES.validatorState), 9);
    await keepSignFloor(home, floor({ height: 10, raise: true }));
    expect((await state()).height).toBe(10);
  });

  it('is refused with another key than it began with, or the floor of another', async () => {
    const other = join(directory, 'other.json');
    const theirs = bytesToHex((await createValidatorKey(other)).address);
    await expect(refuseOtherKey(home, given)).resolves.toBe(undefined);
    await expect(refuseOtherKey(home, other)).rejects.toMatchObject({ code: 'CONFIG_OTHER_KEY' });
    await expect(keepSignFloor(home, floor({ address: theirs }))).rejects.toMatchObject({
      code: 'CONFIG_OTHER_KEY',
    });
  });

  it.each([{ address: 'x' }, { height: -1 }, { round: 1.5 }])('takes no floor such as %j', async (over) => {
    await expect(keepSignFloor(home, floor(over as never))).rejects.toMatchObject({
      code: 'CONFIG_GIVEN_FILE',
    });
  });
});
