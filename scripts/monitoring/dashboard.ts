/** One panel: what it shows, in which unit, by which queries with their legends. */
export type PanelRow = readonly [
  title: string,
  unit: string,
  ...queries: readonly (readonly [expression: string, legend: string])[],
];

/** A dashboard as people think of it: titled rows of panels. */
export interface DashboardTable {
  readonly uid: string;
  readonly title: string;
  /** A metric that the pods have which can be chosen. */
  readonly pods: string;
  readonly rows: Readonly<Record<string, readonly PanelRow[]>>;
}

const WIDTH = 24;
const PER_ROW = 3;
const HEIGHT = 8;
const SOURCE = { type: 'prometheus', uid: '$datasource' };

/** Grafana's JSON of a dashboard (schema 39), for one or several pods of a namespace. */
export function grafanaDashboard({ uid, title, pods, rows }: DashboardTable): unknown {
  let id = 0;
  let y = 0;
  const panels: unknown[] = [];
  for (const [row, items] of Object.entries(rows)) {
    panels.push({
      id: ++id,
      type: 'row',
      title: row,
      collapsed: false,
      gridPos: { x: 0, y: y++, w: WIDTH, h: 1 },
    });
    for (const [i, [name, unit, ...queries]] of items.entries()) {
      const w = WIDTH / PER_ROW;
      panels.push({
        id: ++id,
        type: 'timeseries',
        title: name,
        datasource: SOURCE,
        gridPos: { x: (i % PER_ROW) * w, y: y + Math.floor(i / PER_ROW) * HEIGHT, w, h: HEIGHT },
        fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
        targets: queries.map(([expr, legendFormat], at) => ({
          refId: String.fromCharCode('A'.charCodeAt(0) + at),
          datasource: SOURCE,
          expr,
          legendFormat,
        })),
      });
    }
    y += Math.ceil(items.length / PER_ROW) * HEIGHT;
  }
  return {
    uid,
    title,
    tags: ['chain'],
    schemaVersion: 39,
    refresh: '30s',
    time: { from: 'now-3h', to: 'now' },
    templating: {
      list: [
        { name: 'datasource', type: 'datasource', query: 'prometheus' },
        variable('namespace', `label_values(${pods}, namespace)`),
        variable('pod', `label_values(${pods}{namespace=~"$namespace"}, pod)`),
      ],
    },
    panels,
  };
}

function variable(name: string, query: string): unknown {
  return { name, type: 'query', datasource: SOURCE, query, refresh: 2, includeAll: true, multi: true };
}
