import fc from 'fast-check';
import { expect, it } from 'vitest';
import { boxKeys, openSealed, sealTo } from './sealedBox.ts';

const bytes = fc.uint8Array({ maxLength: 2000 });

it('what is sealed to a key opens with it alone, and not when a byte has changed', () => {
  fc.assert(
    fc.property(bytes, bytes, fc.nat(), (secret, text, at) => {
      const keys = boxKeys(secret, 'one');
      const sealed = sealTo(keys.publicKey, text);
      expect(Buffer.from(openSealed(keys.privateKey, sealed)).equals(text)).toBe(true);
      expect(() => openSealed(boxKeys(secret, 'other').privateKey, sealed)).toThrow('another key');
      const changed = Uint8Array.from(sealed);
      // The highest bit of an X25519 key says nothing.
      const i = at % sealed.length;
      changed[i]! ^= i === 31 ? 1 : 0x81;
      expect(() => openSealed(keys.privateKey, changed)).toThrow('damaged');
    }),
    { numRuns: 30 },
  );
});

it('the same secret gives the same keys, and no two boxes are alike', () => {
  const secret = Uint8Array.of(1, 2, 3);
  const { publicKey } = boxKeys(secret, 'x');
  expect(boxKeys(secret, 'x').publicKey).toEqual(publicKey);
  expect(sealTo(publicKey, secret)).not.toEqual(sealTo(publicKey, secret));
});
