import type { Journal } from '../journal.ts';
import type { PreflightWish } from './preflightStep.ts';

/** What is given again on the way wins over what the journal remembers; other servers are asked anew. */
export function withNewWish(journal: Journal, asked: PreflightWish): Journal {
  const {
    trustedRpcs,
    peers,
    allowSingleRpc,
    backend,
    stopCommand,
    startCommand,
    into,
    hold,
    rotate,
    keepBackups,
  } = asked;
  const asksOthers = trustedRpcs.length > 0;
  return {
    ...journal,
    wish: {
      ...withoutInto(journal.wish),
      ...(asksOthers && { trustedRpcs }),
      ...(peers.length > 0 && { peers }),
      ...(allowSingleRpc && { allowSingleRpc }),
      ...(backend !== undefined && { backend }),
      ...(stopCommand !== undefined && { stopCommand }),
      ...(startCommand !== undefined && { startCommand }),
      ...intoOf(journal.wish.into, into),
      ...(hold && { hold }),
      ...(rotate !== undefined && { rotate }),
      ...(keepBackups !== undefined && { keepBackups }),
    },
    ...(asksOthers && { trust: { ...journal.trust, resolvedAt: 0 } }),
  };
}

const withoutInto = ({ into: _, ...wish }: Journal['wish']): Journal['wish'] => wish;

/** `undefined` in a journal means the split. */
function intoOf(known: 'single' | undefined, asked: PreflightWish['into']): { into?: 'single' } {
  const into = asked ?? known;
  return into === 'single' ? { into } : {};
}
