/** The element of the page that a selector names, of the kind that it must be. */
export function find<Kind extends HTMLElement>(
  selector: string,
  kind: new () => Kind,
  within: ParentNode = document,
): Kind {
  const found = within.querySelector(selector);
  if (!(found instanceof kind)) throw new Error(`The page has no ${selector}.`);
  return found;
}

/** All elements that a selector names. */
export function findAll<Found extends HTMLElement = HTMLElement>(selector: string): Found[] {
  return [...document.querySelectorAll<Found>(selector)];
}

/** Says something to who uses a screen reader. */
export function announce(content: string): void {
  find('#announcement', HTMLElement).textContent = content;
}

/** A new element. */
export function create<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]> = {},
  ...content: readonly (string | Node)[]
): HTMLElementTagNameMap[Tag] {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...content);
  return element;
}
