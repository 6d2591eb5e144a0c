/**
 * The element of the page that a selector names.
 * @param {string} selector
 */
export function find(selector) {
  return /** @type {HTMLElement} */ (document.querySelector(selector));
}

/**
 * A new element.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Partial<HTMLElementTagNameMap[Tag]>} properties
 * @param {...(string | Node)} content
 */
export function create(tag, properties, ...content) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...content);
  return element;
}
