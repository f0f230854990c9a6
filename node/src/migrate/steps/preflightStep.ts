import { randomBytes } from 'node:crypto';
import { isCodedError } from '@chain/platform';
import { type Check, runChecks } from '../checks.ts';
import type { HomeSettings } from '../homeAccess.ts';
import type { Journal, MigrationWish } from '../journal.ts';
import { migrationErrors } from '../migrationErrors.ts';
import { homeChecks } from '../preflight/homeChecks.ts';
import { type NetworkFindings, networkChecks } from '../preflight/networkChecks.ts';
import { planWipe } from '../wipe/planWipe.ts';
import type { StepDeps } from './stepContext.ts';

export interface PreflightWish extends Omit<MigrationWish, 'backend' | 'into'> {
  /** Of the migration; made up where nobody gives one. */
  readonly id?: string;
  /** The split by default. */
  readonly into?: 'split' | 'single';
  /** The present one by default. */
  readonly backend?: string;
  readonly resync: boolean;
}

/** Looks at everything that could go wrong while the node still serves; changes nothing. */
export async function preflight(
  asked: PreflightWish,
  { access, control }: StepDeps,
): Promise<{ readonly checks: readonly Check[]; readonly journal?: Journal }> {
  const settings = await access.readSettings().catch((error: unknown) => {
    // Old keys, disabled layers and all else that is wrong in the files.
    if (isCodedError(error)) return error;
    throw error;
  });
  if (settings instanceof Error) {
    return { checks: [{ name: 'settings', ok: false, detail: settings.message }] };
  }
  const running = await control.status();
  const { resync, id, into, ...rest } = asked;
  const wish: MigrationWish = {
    ...rest,
    backend: asked.backend ?? settings.backend,
    ...(into === 'single' && { into }),
  };
  const findings: NetworkFindings = {};
  const checks = [
    { name: 'settings', ok: true, detail: `${access.home}: valid, sc-enable and ss-enable are true` },
    ...(await runChecks(
      homeChecks({
        access,
        settings,
        running,
        targetBackend: wish.backend,
        targetSplit: into !== 'single',
        resync,
      }),
    )),
    ...(await runChecks(networkChecks({ access, settings, wish }, findings))),
  ];
  const { trust, peers } = findings;
  if (!checks.every(({ ok }) => ok) || !trust || !peers) return { checks };
  const wipe = await planWipe(access.home, settings.directories);
  return { checks, journal: newJournal(settings, { wish, trust, peers, wipe }, id) };
}

function newJournal(
  { chainId, moniker, backend, split, trustPeriodMs }: HomeSettings,
  found: Pick<Journal, 'trust' | 'peers' | 'wipe' | 'wish'>,
  id: string | undefined,
): Journal {
  const now = new Date().toISOString();
  return {
    format: 1,
    id: id ?? `evm-split-${now.slice(0, 10)}-${randomBytes(3).toString('hex')}`,
    outcome: 'running',
    startedAt: now,
    ...found,
    before: { chainId, moniker, backend, split, trustPeriodMs },
    steps: {},
  };
}

export function preflightFailed(checks: readonly Check[]) {
  const failed = checks.filter(({ ok }) => !ok);
  return migrationErrors.preflight(
    [
      'preflight refuses the migration; nothing was changed',
      ...failed.map(({ name, detail }) => `${name}: ${detail}`),
    ].join('\n'),
    { failed: failed.map(({ name }) => name).join(' ') },
  );
}
