/**
 * The element of the page that a selector names.
 * @param {string} selector
 */
export function find(selector) {
  return /** @type {HTMLElement} */ (document.querySelector(selector));
}
