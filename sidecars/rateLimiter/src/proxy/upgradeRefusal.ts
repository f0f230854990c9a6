import type { Rejection } from './limiterMetrics.ts';
import { limitedText, retryAfterSeconds } from './refusals.ts';

/** Why a WebSocket handshake fails. */
export interface UpgradeRefusal {
  readonly reason: Rejection;
  readonly status: number;
  readonly text: string;
  readonly retryAfter?: string;
}

/** The client has no calls left. */
export function limitedMessage(status: number, waitMs: number): UpgradeRefusal {
  return {
    reason: 'limited',
    status,
    text: limitedText(null, waitMs),
    retryAfter: retryAfterSeconds(waitMs),
  };
}
