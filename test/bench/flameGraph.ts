import type { Profiler } from 'node:inspector';

/** A function called in one place, and the samples that were taken in it or below. */
interface Flame {
  readonly name: string;
  readonly place: string;
  samples: number;
  readonly children: Map<string, Flame>;
}

const WIDTH = 1200;
const ROW = 17;
const HEAD = 44;
const MARGIN = 8;
const LETTER = 6.6;
/** Narrower flames are left out. */
const LEAST = 0.4;
const HIDDEN = new Set(['(idle)', '(root)']);

/** V8's CPU profile as a flame graph: an SVG of its own, without scripts. Callers lie below what they call. */
export function flameGraph(title: string, profile: Profiler.Profile): string {
  const root = gather(profile);
  const depth = depthOf(root);
  const height = HEAD + depth * ROW + MARGIN;
  const scale = (WIDTH - 2 * MARGIN) / root.samples;
  const rows: string[] = [];
  draw(root, { x: MARGIN, level: 0 });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="monospace" font-size="11">
<rect width="${WIDTH}" height="${height}" fill="#fff"/>
<text x="${MARGIN}" y="20" font-size="15">${escaped(title)}</text>
<text x="${MARGIN}" y="36" fill="#666">${root.samples} samples; a flame's width is its share of the time, callers are below</text>
${rows.join('\n')}
</svg>
`;

  function draw(flame: Flame, { x, level }: { x: number; level: number }): void {
    const width = flame.samples * scale;
    if (width < LEAST) return;
    const y = height - MARGIN - (level + 1) * ROW;
    const share = ((100 * flame.samples) / root.samples).toFixed(1);
    const shown = flame.name.slice(0, Math.floor((width - 4) / LETTER));
    const label = shown.length > 2 ? `<text x="${fixed(x + 2)}" y="${y + 12}">${escaped(shown)}</text>` : '';
    rows.push(
      `<g><title>${escaped(`${flame.name} ${flame.place} ${share} %`)}</title>` +
        `<rect x="${fixed(x)}" y="${y}" width="${fixed(width)}" height="${ROW - 1}" fill="${colourOf(flame)}"/>${label}</g>`,
    );
    let left = x;
    const children = [...flame.children.values()].sort((a, b) => a.name.localeCompare(b.name));
    for (const child of children) {
      draw(child, { x: left, level: level + 1 });
      left += child.samples * scale;
    }
  }
}

function gather({ nodes, samples = [] }: Profiler.Profile): Flame {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(
    nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)),
  );
  const root: Flame = { name: 'all', place: '', samples: 0, children: new Map() };
  for (const sample of samples) {
    const path: Profiler.ProfileNode[] = [];
    for (let id: number | undefined = sample; id !== undefined; id = parents.get(id))
      path.unshift(byId.get(id)!);
    const frames = path.filter(({ callFrame }) => !HIDDEN.has(callFrame.functionName));
    if (frames.length === 0) continue;
    root.samples++;
    let at = root;
    for (const { callFrame } of frames) {
      at = childOf(at, callFrame);
      at.samples++;
    }
  }
  return root;
}

function childOf(
  { children }: Flame,
  { functionName, url, lineNumber }: Profiler.ProfileNode['callFrame'],
): Flame {
  const file = url.split('/').slice(-2).join('/');
  const place = file === '' ? '' : `${file}:${lineNumber + 1}`;
  const name = functionName === '' ? '(anonymous)' : functionName;
  const key = `${name} ${place}`;
  const known = children.get(key);
  if (known) return known;
  const flame: Flame = { name, place, samples: 0, children: new Map() };
  children.set(key, flame);
  return flame;
}

function depthOf({ children }: Flame): number {
  return 1 + Math.max(0, ...[...children.values()].map(depthOf));
}

/** WebAssembly green, libraries blue, the rest by its file in reds. */
function colourOf({ name, place }: Flame): string {
  const hue =
    place.startsWith('wasm') || name.startsWith('wasm')
      ? 130
      : isLibrary(place)
        ? 210
        : 8 + (hashOf(place) % 40);
  return `hsl(${hue},70%,${68 + (hashOf(name) % 12)}%)`;
}

function isLibrary(place: string): boolean {
  return place.includes('.js:') || place.startsWith('node:');
}

function hashOf(text: string): number {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (hash * 31 + text.charCodeAt(i)) >>> 0;
  return hash;
}

const fixed = (value: number): string => value.toFixed(1);

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
