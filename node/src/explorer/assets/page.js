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

/** Gives the hash of what was sent, or why it was not. */
async function send({ to, input, value }, by, from) {
  if (by === 'node') return ask('eth_sendTransaction', [{ from, to, data: input, value }]);
  const wallet = globalThis.ethereum;
  if (!wallet) return { failure: 'This browser has no wallet.' };
  const [account] = await wallet.request({ method: 'eth_requestAccounts' });
  const params = [{ from: account, to, data: input, value }];
  return { result: await wallet.request({ method: 'eth_sendTransaction', params }) };
}

async function ask(method, params) {
  const answer = await fetch('/', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = await answer.json();
  return { result, failure: error?.message };
}

for (const form of document.querySelectorAll('form[data-send]')) {
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const shown = document.querySelector('#sent');
    shown.textContent = 'sending';
    const sent = await send(form.dataset, event.submitter.value, form.elements.from?.value).catch(
      ({ message }) => ({ failure: message }),
    );
    if (sent.failure) shown.textContent = sent.failure;
    else location.href = `/tx/${sent.result}`;
  });
}
