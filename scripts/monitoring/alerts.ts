import type { AlertRow } from './alertRow.ts';
import { LIMITER_ALERTS } from './limiterAlerts.ts';
import { NODE_ALERTS } from './nodeAlerts.ts';
import { OPERATOR_ALERTS } from './operatorAlerts.ts';
import { RUNBOOKS } from './places.ts';

const groupOf = (name: string, rows: readonly AlertRow[]) => ({ name, rules: rows.map(rule) });

/** Alerts of the operator, for its chart. */
export const operatorRules = () => ({ groups: [groupOf('chain-operator', OPERATOR_ALERTS)] });

/** Alerts of nodes and limiters. */
export const nodeRules = () => ({
  groups: [groupOf('chain-node', NODE_ALERTS), groupOf('chain-rate-limiter', LIMITER_ALERTS)],
});

/** The PrometheusRule of the Prometheus operator. */
export const prometheusRule = () => ruleOf('chain', nodeRules());

/** The same for the operator that manifests install. */
export const operatorRule = () => ruleOf('chain-operator', operatorRules());

function ruleOf(name: string, spec: ReturnType<typeof nodeRules>) {
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name, labels: { 'app.kubernetes.io/part-of': 'chain' } },
    spec,
  };
}

function rule([alert, expr, lasting, severity, description]: AlertRow) {
  const annotations = { description, runbook_url: `${RUNBOOKS}/${alert}.md` };
  return { alert, expr, for: lasting, labels: { severity }, annotations };
}
