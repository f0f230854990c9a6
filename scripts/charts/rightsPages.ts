import { stringify } from 'yaml';
import { OPERATOR_RIGHTS, type Right, rulesOf } from './operatorRights.ts';

const NAME = 'chain-operator';
const LABELS = { 'app.kubernetes.io/name': NAME };
const SUBJECTS = [{ kind: 'ServiceAccount', name: NAME, namespace: 'chain-system' }];

/** A role and its binding, for kubectl. */
function roleText(head: string, kind: 'Role' | 'ClusterRole', name: string, rules: unknown): string {
  const common = { apiVersion: 'rbac.authorization.k8s.io/v1' };
  const metadata = { name, labels: LABELS };
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind, name };
  const documents = [
    { ...common, kind, metadata, rules },
    { ...common, kind: `${kind}Binding`, metadata, roleRef, subjects: SUBJECTS },
  ];
  const texts = documents.map((it) => stringify(it, { aliasDuplicateObjects: false, lineWidth: 0 }));
  return `# Made by \`npm run gen\` from scripts/charts/operatorRights.ts.${head}\n${texts.join('---\n')}`;
}

const PAGE_HEAD = `# Rights of chain-operator
Made by \`npm run gen\` from the table that manifests and chart are made from. \`test/cluster/operatorRights.test.ts\` runs the operator with these rights on an API server that audits what it asks: nothing is refused, and each right is used.

With \`watch.namespaces\` of the chart, or \`k8s/operator/namespaced\`, the first table is a Role in each of those namespaces and there is no ClusterRole; by default it is a ClusterRole, with the second table. No Secret can be listed or watched, no pod deleted.
`;

/** Files that are made from the table of rights, by path. */
export const RIGHTS_PAGES: Readonly<Record<string, () => string>> = {
  'k8s/operator/rights.yaml': () => roleText('', 'ClusterRole', NAME, rulesOf(['nodes', 'cluster'])),
  'k8s/operator/namespaced/rights.yaml': () =>
    roleText(
      "\n# For each namespace with nodes, the operator's own included: kubectl -n NAMESPACE apply -f rights.yaml",
      'Role',
      NAME,
      rulesOf(['nodes']),
    ),
  'k8s/operator/base/leases.yaml': () =>
    roleText(
      '\n# One of several operators leads, and each has what backups are sealed to.',
      'Role',
      `${NAME}-leader`,
      rulesOf(['own']),
    ),
  'charts/operator/files/rights.yaml': () =>
    stringify(
      { cluster: rulesOf(['nodes', 'cluster']), namespaced: rulesOf(['nodes']), leader: rulesOf(['own']) },
      { aliasDuplicateObjects: false, lineWidth: 0 },
    ),
  'docs/reference/rights.md': () =>
    [
      PAGE_HEAD,
      section('In namespaces with nodes', 'nodes'),
      section('In the cluster', 'cluster'),
      section("In the operator's own namespace", 'own'),
    ].join('\n'),
};

function section(title: string, scope: Right['scope']): string {
  const rows = OPERATOR_RIGHTS.filter((right) => right.scope === scope).flatMap((right) => {
    const { group, resource, verbs, names } = right;
    const what = `\`${resource}\`${group === '' ? '' : ` (${group})`}${names ? ` ${names.join(', ')}` : ''}`;
    return Object.entries(verbs).map(([verb, use]) => `| ${what} | ${verb} | ${use} |`);
  });
  return `## ${title}\n| Resource | Verb | What for |\n|---|---|---|\n${rows.join('\n')}\n`;
}
