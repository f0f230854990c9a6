import { describe, expect, test } from 'vitest';
import { bytesToHex, hexToBytes, padLeft } from '../../primitives/index.ts';
import { runInTest, testHost } from '../evmTestHost.ts';

const word = (value: number): Uint8Array => padLeft(hexToBytes(value.toString(16).padStart(8, '0')), 32);

describe('standard precompiles', () => {
  const at = (last: number): Uint8Array => word(last).subarray(12);

  test('ecrecover finds the signer', async () => {
    const input = hexToBytes(
      '18c547e4f7b0f325ad1e56f57e26c745b09a3e503d86e00e5255ff7f715d3d1c' +
        '000000000000000000000000000000000000000000000000000000000000001c' +
        '73b1693892219d736caba55bdb67216e485557ea6b6af75f37096c9aa6a5a75f' +
        'eeb940b1d03b21e36b0e47e79769f095fe2ab855bd91e3a38756b7d75a9c4549',
    );
    const result = await runInTest(testHost(), { to: at(1), data: input });
    expect(bytesToHex(result.returnData.subarray(12))).toBe('a94f5374fce5edbc8e2a8697c15331677e6ebf0b');
    expect(result.gasUsed).toBe(3_000n);
  });

  test('sha256, ripemd160, identity and modexp answer', async () => {
    const run = async (last: number, data: Uint8Array) =>
      bytesToHex((await runInTest(testHost(), { to: at(last), data })).returnData);
    expect(await run(2, new Uint8Array(0))).toBe(
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    );
    expect(await run(3, new Uint8Array(0))).toBe(
      '0000000000000000000000009c1185a5c5e9fc54612808977ee8f548b2258d31',
    );
    expect(await run(4, Uint8Array.of(1, 2))).toBe('0102');
    const modexp = Buffer.concat([word(1), word(1), word(1), Uint8Array.of(3, 5, 100)]);
    expect(await run(5, modexp)).toBe('2b');
  });

  test('point evaluation verifies a KZG proof of the Ethereum ceremony', async () => {
    const input = hexToBytes(
      '01e798154708fe7789429634053cbf9f99b619f9f084048927333fce637f549b564c0a11a0f704f4fc3e8acfe0f8245f' +
        '0ad1347b378fbf96e206da11a5d3630624d25032e67a7e6a4910df5834b8fe70e6bcfeeac0352434196bdf4b2485d5a1' +
        '8f59a8d2a1a625a17f3fea0fe5eb8c896db3764f3185481bc22f91b4aaffcca25f26936857bc3a7c2539ea8ec3a952b7' +
        '873033e038326e87ed3e1276fd140253fa08e9fc25fb2d9a98527fc22a2c9612fbeafdad446cbc7bcdbdcd780af2c16a',
    );
    const good = await runInTest(testHost(), { to: at(10), data: input });
    expect(good.error).toBeUndefined();
    expect(good.gasUsed).toBe(50_000n);
    expect(bytesToHex(good.returnData)).toBe(
      `${'1000'.padStart(64, '0')}73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001`,
    );
    input[40]! ^= 1;
    const bad = await runInTest(testHost(), { to: at(10), data: input });
    expect([bad.error !== undefined, bad.gasUsed]).toEqual([true, 1_000_000n]);
  });

  const point = (x: number, y: number): Uint8Array => Buffer.concat([word(x), word(y)]);
  const failures: [number, string, Uint8Array][] = [
    [6, 'point is not on curve', point(1, 1)],
    [6, 'invalid fp.Element encoding', new Uint8Array(64).fill(0xff)],
    [7, 'point is not on curve', point(1, 1)],
    [8, 'bad elliptic curve pairing size', new Uint8Array(191)],
    [8, 'point is not on curve', Buffer.concat([point(1, 1), new Uint8Array(128)])],
    [9, 'invalid input length', new Uint8Array(1)],
    [9, 'invalid final flag', new Uint8Array(213).fill(3, 212)],
    [10, 'mismatched versioned hash', new Uint8Array(192)],
    [11, 'invalid point: not on curve', Uint8Array.from({ length: 256 }, (_, at) => (at === 63 ? 1 : 0))],
    [15, 'invalid input length', new Uint8Array(0)],
  ];
  test.each(failures)('0x%i fails as geth tells it: %s', async (last, error, data) => {
    const result = await runInTest(testHost(), { to: at(last), data });
    expect(result).toMatchObject({ error, gasUsed: 1_000_000n });
  });
});
