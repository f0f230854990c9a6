import type { Journal } from '../journal.ts';
import type { PreflightWish } from './preflightStep.ts';

/** What is given again on the way wins over what the journal remembers; other servers are asked anew. */
export function withNewWish(journal: Journal, asked: PreflightWish): Journal {
  const { trustedRpcs, peers, allowSingleRpc, backend, stopCommand, startCommand } = asked;
  const asksOthers = trustedRpcs.length > 0;
  return {
    ...journal,
    wish: {
      ...journal.wish,
      ...(asksOthers && { trustedRpcs }),
      ...(peers.length > 0 && { peers }),
      ...(allowSingleRpc && { allowSingleRpc }),
      ...(backend !== undefined && { backend }),
      ...(stopCommand !== undefined && { stopCommand }),
      ...(startCommand !== undefined && { startCommand }),
    },
    ...(asksOthers && { trust: { ...journal.trust, resolvedAt: 0 } }),
  };
}
