import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Wallet } from 'ethers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex, toBech32, toChecksumAddress, utf8 } from '../primitives/index.ts';
import { ed25519FromSeed } from './ed25519.ts';
import { DEVELOPMENT_MNEMONIC, deriveAccounts, newMnemonic } from './hdAccounts.ts';
import { openKeystore } from './keystore.ts';
import { createNodeKey, readNodeKey } from './nodeKey.ts';
import { createValidatorKey, readValidatorKey } from './validatorKey.ts';
import { openValidatorSigner } from './validatorSigner.ts';
import { createSignState } from './validatorState.ts';

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'keys-'));
});
afterAll(() => rm(home, { recursive: true }));
const at = (name: string): string => join(home, name);

describe('the validator key', () => {
  it('signs like RFC 8032, test 1', () => {
    const seed = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex');
    const key = ed25519FromSeed(seed);
    expect(bytesToHex(key.publicKey)).toBe(
      'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    );
    expect(bytesToHex(key.sign(new Uint8Array(0)))).toBe(
      'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
    );
  });

  it('is written in the form of CometBFT, for its owner only, and read back', async () => {
    const made = await createValidatorKey(at('priv_validator_key.json'), new Uint8Array(32).fill(7));
    const json = JSON.parse(await readFile(at('priv_validator_key.json'), 'utf8'));
    expect(json).toEqual({
      address: bytesToHex(made.address).toUpperCase(),
      pub_key: {
        type: 'tendermint/PubKeyEd25519',
        value: Buffer.from(made.publicKey).toString('base64'),
      },
      priv_key: { type: 'tendermint/PrivKeyEd25519', value: expect.stringMatching(/^[\w+/]{86}==$/) },
    });
    expect((await stat(at('priv_validator_key.json'))).mode & 0o777).toBe(0o600);
    expect((await readValidatorKey(at('priv_validator_key.json'))).address).toEqual(made.address);
  });

  it('is refused when its parts disagree, without showing the secret', async () => {
    await createValidatorKey(at('mixed.json'));
    const json = JSON.parse(await readFile(at('mixed.json'), 'utf8'));
    await writeFile(at('mixed.json'), JSON.stringify({ ...json, address: '00'.repeat(20) }));
    const failure = await readValidatorKey(at('mixed.json')).catch((error: Error) => error);
    expect(failure).toMatchObject({ code: 'KEYS_FILE_INVALID' });
    expect(String(failure)).not.toContain(json.priv_key.value);
    await writeFile(at('mixed.json'), `${json.priv_key.value} {`);
    const broken = await readValidatorKey(at('mixed.json')).catch((error: Error) => error);
    expect(String(broken)).toContain('is not JSON');
    expect(String(broken)).not.toContain(json.priv_key.value);
  });
});

describe('the node key', () => {
  it('gives the same 40-digit id after a restart', async () => {
    const { id } = await createNodeKey(at('node_key.json'));
    expect(id).toMatch(/^[0-9a-f]{40}$/);
    expect(await readNodeKey(at('node_key.json'))).toEqual({ id });
  });
});

describe('the validator signer', () => {
  it('never signs two messages for one position, across restarts', async () => {
    const files = { keyFile: at('signer.json'), stateFile: at('state.json') };
    await createValidatorKey(files.keyFile);
    await createSignState(files.stateFile);
    const signer = await openValidatorSigner(files);
    const first = await signer.sign({ height: 5, round: 0, step: 3 }, utf8('block a'));
    expect(JSON.parse(await readFile(files.stateFile, 'utf8'))).toMatchObject({
      height: '5',
      round: 0,
      step: 3,
    });

    const again = await openValidatorSigner(files);
    expect(again.lastHeight).toBe(5);
    expect(await again.sign({ height: 5, round: 0, step: 3 }, utf8('block a'))).toEqual(first);
    for (const position of [
      { height: 5, round: 0, step: 3 },
      { height: 5, round: 0, step: 2 },
      { height: 4, round: 9, step: 3 },
    ] as const) {
      await expect(again.sign(position, utf8('block b'))).rejects.toMatchObject({ code: 'KEYS_DOUBLE_SIGN' });
    }
    await expect(again.sign({ height: 5, round: 1, step: 1 }, utf8('block b'))).resolves.toHaveLength(64);
  });
});

describe('accounts', () => {
  it('are those of every development node', () => {
    const accounts = deriveAccounts({ mnemonic: DEVELOPMENT_MNEMONIC, count: 10 });
    expect(toChecksumAddress(accounts[0]!.evmAddress)).toBe('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266');
    expect(toChecksumAddress(accounts[9]!.evmAddress)).toBe('0xa0Ee7A142d267C1f36714E4a8F75612F20a79720');
    expect(bytesToHex(accounts[0]!.privateKey)).toBe(
      'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
    );
    expect(accounts[3]!.path).toBe("m/44'/60'/0'/0/3");
    expect(toBech32(accounts[0]!.chainAddress)).toMatch(/^chain1/);
  });

  it('come from fresh phrases of 24 words, and a wrong phrase is not repeated', () => {
    const phrase = newMnemonic();
    expect(phrase.split(' ')).toHaveLength(24);
    expect(deriveAccounts({ mnemonic: `  ${phrase.toUpperCase()} `, count: 1 })).toHaveLength(1);
    expect(() => deriveAccounts({ mnemonic: 'secret words here', count: 1 })).toThrow(/3 words/);
    expect(() => deriveAccounts({ mnemonic: 'secret words here', count: 1 })).not.toThrow(/secret/);
  });
});

describe('the keystore', () => {
  const store = () => openKeystore({ directory: at('keyring') });

  it('keeps keys encrypted, lists them without a password and unlocks with the right one', async () => {
    const key = deriveAccounts({ mnemonic: DEVELOPMENT_MNEMONIC, count: 1 })[0]!;
    const entry = await store().add('alice', 'correct horse', key.privateKey);
    const text = await readFile(at('keyring/alice.json'), 'utf8');
    expect(text).not.toContain(bytesToHex(key.privateKey));
    expect((await stat(at('keyring/alice.json'))).mode & 0o777).toBe(0o600);
    const listed = await store().list();
    expect(listed.map(({ name, publicKey }) => [name, bytesToHex(publicKey)])).toEqual([
      ['alice', bytesToHex(entry.publicKey)],
    ]);
    expect((await store().unlock('alice', 'correct horse')).privateKey).toEqual(key.privateKey);
    await expect(store().unlock('alice', 'wrong horse')).rejects.toMatchObject({
      code: 'KEYS_PASSWORD_WRONG',
    });
    // Another program reads the file.
    const wallet = await Wallet.fromEncryptedJson(text, 'correct horse');
    expect(wallet.address).toBe('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266');
  });

  it('refuses taken and unsafe names, weak passwords and no-keys, and deletes', async () => {
    await store().add('bob', 'long enough');
    await expect(store().add('bob', 'long enough')).rejects.toMatchObject({ code: 'KEYS_NAME_TAKEN' });
    await expect(store().add('../x', 'long enough')).rejects.toMatchObject({ code: 'KEYS_NAME_INVALID' });
    await expect(store().add('carol', 'short')).rejects.toMatchObject({ code: 'KEYS_PASSWORD_WEAK' });
    await expect(store().add('carol', 'long enough', new Uint8Array(32))).rejects.toMatchObject({
      code: 'KEYS_PRIVATE_KEY_INVALID',
    });
    await store().delete('bob');
    await expect(store().find('bob')).rejects.toMatchObject({ code: 'KEYS_NOT_FOUND' });
  });
});
