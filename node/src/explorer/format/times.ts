import { type Html, html } from '@chain/platform/pages';

/** Seconds since 1970 as UTC. */
export function timeOf(seconds: number): Html {
  const text = new Date(seconds * 1000).toISOString();
  return html`<time datetime="${text}">${text.replace('T', ' ').replace('.000Z', ' UTC')}</time>`;
}

/** How long before `now` (milliseconds since 1970) it was: `3 s ago`. */
export function agoOf(seconds: number, now: number): string {
  const past = Math.max(0, Math.round(now / 1000) - seconds);
  if (past < 120) return `${past} s ago`;
  if (past < 7200) return `${Math.floor(past / 60)} min ago`;
  return past < 172_800 ? `${Math.floor(past / 3600)} h ago` : `${Math.floor(past / 86_400)} d ago`;
}
