/** The style of every page; follows the reader's choice of light or dark. */
export const STYLE = `:root { color-scheme: light dark; --ok: #1a7f4b; --warn: #9a6700; --bad: #c4322b; --line: #8884; --dim: #888; }
@media (prefers-color-scheme: dark) { :root { --ok: #4cc38a; --warn: #e2b340; --bad: #ff7b72; } }
* { box-sizing: border-box; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 76rem; padding: 1.5rem; }
header { display: flex; align-items: baseline; gap: 1rem; border-bottom: 1px solid var(--line); margin-bottom: 1rem; }
h1 { font-size: 1.3rem; margin: 0 0 .5rem; } h2 { font-size: 1.05rem; margin: 1.6rem 0 .5rem; }
a { color: inherit; } small, .dim { color: var(--dim); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .35rem .7rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-weight: 600; color: var(--dim); font-size: .85rem; } td.number, th.number { text-align: right; }
.ok { color: var(--ok); } .warn { color: var(--warn); } .bad { color: var(--bad); }
.timeline { list-style: none; padding: 0; } .timeline li { display: grid; grid-template-columns: 9rem 1fr 7rem; gap: .7rem; align-items: center; padding: .15rem 0; }
.bar { height: .7rem; background: var(--line); border-radius: .35rem; overflow: hidden; } .bar span { display: block; height: 100%; background: currentColor; border-radius: .35rem; min-width: 2px; }
progress { width: 8rem; accent-color: var(--ok); } pre { overflow-x: auto; padding: .7rem; border: 1px solid var(--line); border-radius: .4rem; }
`;

/** Keeps the page fresh: asks for its next state, which the server gives as soon as there is one. */
export const LIVE_SCRIPT = `const main = document.querySelector('main');
const state = document.querySelector('#live');
const wait = (ms) => new Promise((done) => setTimeout(done, ms));
for (let failures = 0; ; ) {
  try {
    const url = '/live' + location.pathname + '?seen=' + main.dataset.seen;
    const answer = await fetch(url, { cache: 'no-store' });
    if (answer.status !== 200 && answer.status !== 404) throw new Error(String(answer.status));
    main.innerHTML = await answer.text();
    main.dataset.seen = answer.headers.get('etag');
    state.textContent = 'live';
    failures = 0;
    await wait(500);
  } catch {
    failures += 1;
    state.textContent = 'connection lost, trying again';
    await wait(Math.min(30000, 500 * 2 ** failures));
  }
}
`;
