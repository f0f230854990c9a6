import { act, type Decision, iso, note, wait } from './decision.ts';
import { kindOf, migrationId } from './identity.ts';
import { keptKeys, outlivedKeys, withoutKeys } from './keptKeys.ts';
import type { ObservedState } from './observedState.ts';
import { type MigrationRecord, sameLayout } from './record.ts';
import { newCommand } from './steps/hold.ts';
import { supersededBy, tidying } from './superseded.ts';

const LOOK_MS = 60_000;

/** A migration when the volume is not what the spec asks for; one that was given up is not begun by itself again. */
export function begin(observed: ObservedState, last: MigrationRecord | undefined): Decision {
  const { actual, wanted, settings, node, resyncRequest } = observed;
  if (actual === undefined || node.deleting || observed.paused || settings.policy === 'Disabled') {
    return wait(LOOK_MS);
  }
  const old = last && (tidying(observed, last) ?? outlived(observed, last));
  if (old) return old;
  const isWanted = !sameLayout(actual, wanted) || resyncRequest !== undefined;
  const gaveUp = last?.phase === 'RolledBack' && last.reason !== WITHDRAWN;
  if (!isWanted) return gaveUp ? note(last, { reason: WITHDRAWN }, LOOK_MS) : wait(LOOK_MS);
  const retry = last === undefined ? undefined : newCommand(observed, last, 'retry');
  if (gaveUp && sameLayout(last.target, wanted) && retry === undefined) return wait(LOOK_MS);
  return { do: 'persist', record: newRecord(observed, last, { ...last?.obeyed, ...(retry && { retry }) }) };
}

/** Keys that were kept for long enough; the record forgets them once they are gone. */
function outlived(
  { now, settings, keySecretExists }: ObservedState,
  last: MigrationRecord,
): Decision | undefined {
  const name = settings.keySecret && outlivedKeys(last, settings.keySecret.retainMs, now);
  if (name === undefined) return undefined;
  if (keySecretExists) return act({ do: 'deleteKeySecret', name });
  return { do: 'persist', record: withoutKeys(last, name) };
}

/** The wish was taken back since; the same wish again counts as new. */
const WITHDRAWN = 'Withdrawn';

function newRecord(
  observed: ObservedState,
  last: MigrationRecord | undefined,
  obeyed: NonNullable<MigrationRecord['obeyed']>,
): MigrationRecord {
  const { node, wanted, settings, now } = observed;
  const from = observed.actual!;
  const kind = kindOf(from, wanted);
  const at = iso(now);
  const earlierKeys = last ? keptKeys(last) : [];
  const superseded = supersededBy(last);
  const claim = last?.claim ?? observed.claim;
  return {
    id: migrationId(kind, [
      node.uid,
      observed.resyncRequest ?? node.generation,
      obeyed.retry ?? '',
      String(wanted.evmSplit),
      wanted.backend,
    ]),
    kind,
    forGeneration: node.generation,
    ...(kind === 'StateSync' && observed.resyncRequest && { requestId: observed.resyncRequest }),
    before: { ...from, ...observed.nodeFacts },
    target: wanted,
    phase: 'Pending',
    phaseStartedAt: at,
    startedAt: at,
    attempt: 1,
    lastAttempt: settings.maxAttempts,
    try: 1,
    pastPointOfNoReturn: false,
    reason: 'Progressing',
    message: `from ${saying(from)} to ${saying(wanted)}`,
    ...(earlierKeys.length > 0 && { earlierKeys }),
    // The node stays on the volume that it has.
    ...(claim !== undefined && { claim }),
    ...(superseded.length > 0 && { superseded }),
    ...(Object.keys(obeyed).length > 0 && { obeyed }),
    timeline: [{ phase: 'Pending', attempt: 1, startedAt: at }],
  };
}

const saying = ({ evmSplit, backend }: MigrationRecord['target']): string =>
  `${evmSplit ? 'a store for the EVM beside' : 'one store on'} ${backend}`;
