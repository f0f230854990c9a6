import { readFileSync } from 'node:fs';
import { definitionTexts } from '../../operator/src/api/index.ts';
import { operatorRule, operatorRules, prometheusRule } from '../monitoring/alerts.ts';
import { grafanaDashboard } from '../monitoring/dashboard.ts';
import { LIMITER_DASHBOARD } from '../monitoring/limiterDashboard.ts';
import { NODE_DASHBOARD } from '../monitoring/nodeDashboard.ts';
import { OPERATOR_DASHBOARD } from '../monitoring/operatorDashboard.ts';
import { chartReadme, valuesSchema } from './chartFiles.ts';
import { fleetSchemas } from './fleetSchemas.ts';
import { RIGHTS_PAGES } from './rightsPages.ts';
import { valuesTable } from './valuesTable.ts';

type Pages = Readonly<Record<string, () => string>>;

/** What Prometheus and Grafana are told, for kustomize and for the charts. */
const MONITORING: Pages = {
  'prometheusRule.json': () => json(prometheusRule()),
  'dashboards/node.json': () => json(grafanaDashboard(NODE_DASHBOARD)),
  'dashboards/limiter.json': () => json(grafanaDashboard(LIMITER_DASHBOARD)),
};

/** What an API server has to know before it takes the operator's objects. */
const DEFINITIONS: Pages = Object.fromEntries(
  [...definitionTexts()].map(([plural, text]) => [`${plural}.yaml`, () => text]),
);

/** Files of the charts and of k8s/ that are made, by path. */
export function deploymentPages(): Pages {
  return {
    ...under('k8s/monitoring', MONITORING),
    ...under('charts/rpcFleet/files', MONITORING),
    ...under('k8s/crd', DEFINITIONS),
    ...under('charts/operator/files/crds', DEFINITIONS),
    ...RIGHTS_PAGES,
    'k8s/monitoring/operatorRule.json': () => json(operatorRule()),
    'charts/operator/files/rules.json': () => json(operatorRules()),
    'charts/operator/files/dashboard.json': () => json(grafanaDashboard(OPERATOR_DASHBOARD)),
    ...valuesPages('operator', {}),
    ...valuesPages('rpcFleet', fleetSchemas()),
  };
}

function under(folder: string, pages: Pages): Pages {
  return Object.fromEntries(Object.entries(pages).map(([name, write]) => [`${folder}/${name}`, write]));
}

function valuesPages(chart: string, known: Parameters<typeof valuesSchema>[1]): Pages {
  const rows = () => valuesTable(readFileSync(`charts/${chart}/values.yaml`, 'utf8'));
  const head = () => readFileSync(`scripts/charts/${chart}Head.md`, 'utf8');
  return under(`charts/${chart}`, {
    'README.md': () => chartReadme(head(), rows()),
    'values.schema.json': () => valuesSchema(rows(), known),
  });
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
