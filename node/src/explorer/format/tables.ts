import { type Html, html } from '@chain/platform/pages';

export type Cell = Html | string | number | undefined | false;

/** A name and what stands beside it; rows without a value are left out. */
export function facts(rows: readonly (readonly [string, Cell])[]): Html {
  const shown = rows.map(
    ([name, value]) =>
      value !== undefined &&
      value !== '' &&
      value !== false &&
      html`<div><dt>${name}</dt><dd>${value}</dd></div>`,
  );
  return html`<dl class="facts">${shown}</dl>`;
}

export interface Column {
  readonly title: string;
  readonly isNumber?: boolean;
}

/** A table that scrolls sideways where it is wider than the page; `empty` is said in place of no rows. */
export function table(
  caption: string,
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  empty: string,
): Html {
  if (rows.length === 0) return html`<p class="dim">${empty}</p>`;
  const classOf = (i: number): string => (columns[i]?.isNumber ? 'number' : '');
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table><caption class="hidden">${caption}</caption>
<thead><tr>${columns.map(({ title }, i) => html`<th scope="col" class="${classOf(i)}">${title}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell, i) => html`<td class="${classOf(i)}">${cell}</td>`)}</tr>`)}</tbody></table></div>`;
}
