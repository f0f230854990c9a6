import { type Html, html } from '@chain/platform/pages';

const WIDTH = 240;
const HEIGHT = 48;

/** A line of values from the oldest to the newest, with its last value and its largest in words. */
export function lineChart(title: string, values: readonly number[], show: (value: number) => string): Html {
  const last = values.at(-1);
  if (last === undefined) return html`<figure><figcaption>${title} <b>–</b></figcaption></figure>`;
  const largest = values.reduce((a, b) => Math.max(a, b), 0);
  const step = WIDTH / Math.max(1, values.length - 1);
  const points = values
    .map(
      (value, i) =>
        `${(i * step).toFixed(1)},${(HEIGHT - 2 - ((HEIGHT - 4) * value) / (largest || 1)).toFixed(1)}`,
    )
    .join(' ');
  return html`<figure><figcaption>${title} <b>${show(last)}</b></figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" width="100%" height="${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${title}: ${show(last)} now, ${show(largest)} at most"><polyline class="line" points="${points}" vector-effect="non-scaling-stroke"/></svg></figure>`;
}
