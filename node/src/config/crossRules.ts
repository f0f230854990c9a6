import { isCodedError } from '@chain/platform';
import { closestName, type Finding } from '@chain/platform/settings';
import { requireBackend } from '../db/index.ts';
import { LEGACY_METHODS, NAMESPACES } from '../rpc/index.ts';
import type { AppConfig } from './appSettings/appTable.ts';

/** So far back wallets and fee oracles look all the time. */
const RECENT_BLOCKS = 256;

/** Rules between keys (spec N-4). */
export function checkTogether(app: AppConfig): { findings: Finding[]; warnings: string[] } {
  const findings: Finding[] = absentBackend(app['state-store']['ss-backend']);
  findings.push(
    ...tooFewBlocks('min-retain-blocks', app.base['min-retain-blocks']),
    ...tooFewBlocks('receipt-store.keep-recent', app['receipt-store']['keep-recent']),
  );
  findings.push(
    ...unknownNamespaces('evm.apis', app.evm.apis),
    ...unknownNamespaces('evm.ws_apis', app.evm.ws_apis),
  );
  const { mode, development } = app.node;
  if (app['state-store']['evm-ss-split'] && mode !== 'rpc' && !development) {
    findings.push({
      source: 'app.toml',
      key: 'state-store.evm-ss-split',
      value: true,
      problem: `not supported on a node of mode "${mode}"`,
      remedy: 'write false, or run the split on an RPC node (node.mode = "rpc")',
    });
  }
  const warnings = app.evm.enabled_legacy_chain_apis
    .filter((name) => !LEGACY_METHODS.includes(name))
    .map((name) => {
      const guess = closestName(name, LEGACY_METHODS);
      return `app.toml: evm.enabled_legacy_chain_apis: "${name}" is no legacy method${guess ? `; did you mean ${guess}?` : ''}`;
    });
  return { findings, warnings };
}

function unknownNamespaces(key: string, given: readonly string[]): Finding[] {
  return given
    .filter((name) => !NAMESPACES.includes(name))
    .map((value) => {
      const remedy = `write some of ${NAMESPACES.join(', ')}`;
      return { source: 'app.toml', key, value, problem: 'no namespace of JSON-RPC', remedy };
    });
}

/** A backend that is known but that this build cannot open. */
function absentBackend(backend: AppConfig['state-store']['ss-backend']): Finding[] {
  try {
    requireBackend(backend);
    return [];
  } catch (error) {
    if (!isCodedError(error, 'DB_BACKEND_ABSENT')) throw error;
    return [
      {
        source: 'app.toml',
        key: 'state-store.ss-backend',
        value: backend,
        problem: `not in this build: package ${String(error.fields.package)} ${String(error.fields.problem)}`,
        remedy: 'write "pebbledb", or install the package',
      },
    ];
  }
}

function tooFewBlocks(key: string, value: number): Finding[] {
  if (value === 0 || value >= RECENT_BLOCKS) return [];
  const problem = `clients read the newest ${RECENT_BLOCKS} blocks all the time`;
  const remedy = `write 0 to keep all, or ${RECENT_BLOCKS} or more`;
  return [{ source: 'app.toml', key, value, problem, remedy }];
}
