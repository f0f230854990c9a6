// A page is whole without this script. With it, a page that names its events is updated with each block.
const main = document.querySelector('main');
const state = document.querySelector('#live');
const path = main.dataset.live;
let source;

/** A hidden window holds no connection: browsers open few of them to one host. */
function follow() {
  source?.close();
  source = undefined;
  if (document.hidden) return;
  source = new EventSource(path);
  source.onmessage = ({ data }) => {
    if (main.contains(document.activeElement) && document.activeElement !== main) return;
    main.innerHTML = data;
    if (state.textContent !== 'live') state.textContent = 'live';
  };
  source.onerror = () => {
    const text =
      source.readyState === EventSource.CLOSED
        ? 'not live: reload for news'
        : 'connection lost, trying again';
    if (state.textContent !== text) state.textContent = text;
  };
}

if (path) {
  document.addEventListener('visibilitychange', follow);
  follow();
}

document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target.closest('input, textarea')) return;
  event.preventDefault();
  document.querySelector('#q').focus();
});
