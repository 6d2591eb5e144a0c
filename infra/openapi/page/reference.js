/** Shows the reference with Scalar. reference-page.ts renders the page, which contains Scalar's configuration as JSON. */
const { translations, ...configuration } = JSON.parse(document.querySelector('#configuration').textContent);
const language = document.documentElement.lang;
// The API is one level above the folder of this script.
const servers = [{ url: new URL('..', document.currentScript.src).href.replace(/\/$/, '') }];
/** The token of the latest login. */
let token = '';

/** Sends a request for Scalar: in the language of the page, and with the token of the latest login. */
async function customFetch(input, init) {
  const request = new Request(input, init);
  if (!request.headers.has('Accept-Language')) request.headers.set('Accept-Language', language);
  // If the field of the token in the form is empty, Scalar sends `Bearer` without a token. Any other token is kept.
  const isTokenEmpty = request.headers.get('Authorization') === 'Bearer';
  if (token && isTokenEmpty) request.headers.set('Authorization', `Bearer ${token}`);
  const response = await fetch(request);
  if (response.ok && request.url.endsWith('/login')) {
    const { data } = await response.clone().json();
    token = data.authorization;
  }
  return response;
}

/** Adds what Scalar omits around a new node, unless it was removed: attributes for screen readers, and translations. */
function completeElements({ parentElement: root }) {
  if (!root) return;
  const selectAll = (selector) => root.querySelectorAll(selector);
  for (const box of selectAll('[role=combobox]:not([aria-expanded])')) box.ariaExpanded = 'false';
  for (const button of selectAll('button[role=none]')) button.removeAttribute('role');
  for (const editor of selectAll('.cm-content:not([aria-label])')) {
    editor.ariaLabel = 'JSON';
    editor.tabIndex = 0;
  }
  for (const control of selectAll('[aria-label]')) {
    control.ariaLabel = translations[control.ariaLabel] ?? control.ariaLabel;
  }
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const translation = translations[texts.currentNode.data.trim()];
    if (translation) texts.currentNode.data = translation;
  }
}

// Scalar validates with zod, which by default tries `eval`. The browser would report a violation of the policy.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

// A browser in Spanish opens the Spanish page. The link with which a reader chooses English contains a query.
const hasChosenEnglish = location.search !== '';
if (language === 'en' && !hasChosenEnglish && navigator.language.startsWith('es')) location.replace('es/index.html');

// This script runs before the script of Scalar. The event follows both, because both are deferred.
document.addEventListener('DOMContentLoaded', () => {
  const observer = new MutationObserver((changes) => {
    const addedNodes = changes.flatMap((change) => [...change.addedNodes]);
    for (const node of addedNodes) completeElements(node);
  });
  observer.observe(document.body, { childList: true, subtree: true });
  globalThis.Scalar.createApiReference('#reference', { ...configuration, servers, customFetch });
});
