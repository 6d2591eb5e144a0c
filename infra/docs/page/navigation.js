import { create, find } from './elements.js';
/** @import { OpenApiDocument, Operation, Renderer } from './renderer.d.ts' */

/** The id of what is to be scrolled to as soon as it is there. */
let awaited = anchorInAddress();

/**
 * The id of an operation's element, and the part of an address that names it.
 * @param {string} tag
 * @param {string} operationId
 */
export function anchorOf(tag, operationId) {
  return `/${tag}/${operationId}`;
}

/**
 * Fills the contents, and the links of the first steps, from the document.
 * @param {OpenApiDocument} spec
 */
export function listOperations({ tags, paths }) {
  const operations = Object.values(paths).flatMap((path) => Object.entries(path));
  for (const { name } of tags) {
    const entries = operations.filter(([, operation]) => operation.tags[0] === name).map(entryOf);
    find('#contents').append(create('h2', {}, name), create('ul', {}, ...entries));
  }
  for (const [, operation] of operations) {
    const step = document.querySelector(`a[data-operation="${operation.operationId}"]`);
    step?.setAttribute('href', hrefOf(operation));
  }
  // Beside the page where there is room for it, folded above it where there is none.
  const wide = matchMedia('(min-width: 64rem)');
  const fold = () => find('#fold').toggleAttribute('open', wide.matches);
  wide.addEventListener('change', fold);
  fold();
}

/**
 * Opens and scrolls to what the address names, now and whenever a link leads there.
 * @param {Renderer} ui
 */
export function followAddress(ui) {
  const open = () => {
    markCurrent();
    const anchor = anchorInAddress();
    const [, tag, operationId] = anchor.split('/');
    awaited = anchor;
    if (tag && operationId) ui.layoutActions.show(['operations', tag, operationId], true);
    document.getElementById(anchor)?.scrollIntoView();
  };
  addEventListener('hashchange', open);
  addEventListener('click', ({ target }) => {
    const link = target instanceof Element && target.closest('a');
    // A link to the address that the page already has fires no event.
    if (link && link.hash !== '' && link.hash === location.hash) open();
  });
  open();
}

/**
 * Scrolls to what has just been drawn, if a link or the address led there.
 * @param {string} anchor
 */
export function arriveAt(anchor) {
  if (anchor !== awaited) return;
  awaited = '';
  document.getElementById(anchor)?.scrollIntoView();
}

/**
 * Makes the address that of an operation which was opened on the page.
 * @param {string} anchor
 */
export function nameInAddress(anchor) {
  awaited = '';
  history.replaceState(null, '', `#${encodeURI(anchor)}`);
  markCurrent();
}

/** The id that the address names. An id that cannot be decoded is removed: the renderer would fail on it, too. */
function anchorInAddress() {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    history.replaceState(null, '', location.pathname);
    return '';
  }
}

function markCurrent() {
  for (const link of document.querySelectorAll('nav a')) {
    if (link.getAttribute('href') === location.hash) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  }
}

/** @param {[string, Operation]} entry */
function entryOf([method, operation]) {
  const badge = create('span', { className: `method ${method}` }, method);
  return create('li', {}, create('a', { href: hrefOf(operation) }, operation.summary, badge));
}

/** @param {Operation} operation */
function hrefOf({ tags: [tag = ''], operationId }) {
  return `#${encodeURI(anchorOf(tag, operationId))}`;
}
