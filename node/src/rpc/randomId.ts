import { randomBytes } from 'node:crypto';

/** A random QUANTITY: ids of filters and subscriptions cannot be guessed. */
export function randomId(): string {
  return `0x${randomBytes(16).toString('hex').replace(/^0+/, '')}`;
}
