export interface Line {
  readonly name: string;
  readonly unit: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

export interface ChartText {
  readonly title: string;
  readonly note: string;
  readonly xName: string;
}

const WIDTH = 860;
const HEIGHT = 520;
const LEFT = 70;
const RIGHT = 250;
const TOP = 60;
const BOTTOM = 70;
const COLOURS = ['#1f6feb', '#d1570f', '#1a7f37', '#8250df', '#bf3989'];

/** A line chart as SVG text, both axes logarithmic: what is flat is flat, what is logarithmic rises ever less. */
export function lineChart({ title, note, xName }: ChartText, lines: readonly Line[]): string {
  const xs = lines.flatMap(({ points }) => points.map(([x]) => x));
  const ys = lines.flatMap(({ points }) => points.map(([, y]) => y));
  const xRange = [Math.min(...xs), Math.max(...xs)] as const;
  const yRange = [
    10 ** Math.floor(Math.log10(Math.min(...ys))),
    10 ** Math.ceil(Math.log10(Math.max(...ys))),
  ] as const;
  const x = scale(xRange, [LEFT, WIDTH - RIGHT]);
  const y = scale(yRange, [HEIGHT - BOTTOM, TOP]);
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="13">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    text(LEFT, 26, title, 'font-size="17" font-weight="bold"'),
    text(LEFT, 44, note, 'fill="#555"'),
    ...decades(yRange).flatMap((value) => [
      `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(value)}" y2="${y(value)}" stroke="#ddd"/>`,
      text(LEFT - 8, y(value) + 4, number(value), 'text-anchor="end"'),
    ]),
    ...[...new Set(xs)].flatMap((value) => [
      `<line x1="${x(value)}" x2="${x(value)}" y1="${TOP}" y2="${HEIGHT - BOTTOM}" stroke="#eee"/>`,
      text(x(value), HEIGHT - BOTTOM + 18, size(value), 'text-anchor="middle"'),
    ]),
    text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 24, xName, 'text-anchor="middle"'),
    ...lines.flatMap((line, i) => drawn(line, { colour: COLOURS[i % COLOURS.length]!, x, y, row: i })),
    '</svg>',
  ];
  return `${parts.join('\n')}\n`;
}

type Scale = (value: number) => number;

function drawn(
  { name, unit, points }: Line,
  {
    colour,
    x,
    y,
    row,
  }: { readonly colour: string; readonly x: Scale; readonly y: Scale; readonly row: number },
): string[] {
  const path = points.map(([px, py]) => `${x(px)},${y(py)}`).join(' ');
  const labelX = WIDTH - RIGHT + 20;
  const labelY = TOP + 20 + row * 44;
  const [first, last] = [points[0]!, points.at(-1)!];
  return [
    `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>`,
    ...points.map(([px, py]) => `<circle cx="${x(px)}" cy="${y(py)}" r="3" fill="${colour}"/>`),
    text(labelX, labelY, name, `fill="${colour}" font-weight="bold"`),
    text(labelX, labelY + 17, `${number(first[1])} → ${number(last[1])} ${unit}`, 'fill="#333"'),
  ];
}

function scale([from, to]: readonly [number, number], [start, end]: readonly [number, number]): Scale {
  const low = Math.log(from);
  const span = Math.log(to) - low || 1;
  return (value) => Math.round((start + ((Math.log(value) - low) / span) * (end - start)) * 10) / 10;
}

function decades([from, to]: readonly [number, number]): number[] {
  const values: number[] = [];
  for (let value = from; value <= to * 1.001; value *= 10) values.push(value);
  return values;
}

function text(x: number, y: number, content: string, attributes = ''): string {
  const escaped = content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<text x="${x}" y="${y}" ${attributes}>${escaped}</text>`;
}

const number = (value: number): string => Number(value.toPrecision(2)).toLocaleString('en-US');
const size = (keys: number): string => (keys >= 1e6 ? `${keys / 1e6} M` : `${keys / 1e3} k`);
