import { LEGACY_METHODS } from '../rpc/index.ts';
import type { AppConfig } from './appSettings/appTable.ts';
import { closestName } from './closestName.ts';
import type { Finding } from './findings.ts';

/** Rules between keys (design.md §6, Identity and start). */
export function checkTogether(app: AppConfig): { findings: Finding[]; warnings: string[] } {
  const findings: Finding[] = [];
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
  if (
    app.evm.http_enabled &&
    app.evm.ws_enabled &&
    app.evm.http_port === app.evm.ws_port &&
    app.evm.http_port !== 0
  ) {
    findings.push({
      source: 'app.toml',
      key: 'evm.ws_port',
      value: app.evm.ws_port,
      problem: 'the same port as evm.http_port',
      remedy: 'write another port',
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
