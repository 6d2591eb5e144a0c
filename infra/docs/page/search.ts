import { create, find, findAll } from './elements.ts';
import { type Entry, search } from './search-entries.ts';
import { text } from './settings.ts';

let entries: readonly Entry[] | undefined;
let chosen = -1;

/** Finds operations, fields, errors and headings; opened by its button, Ctrl-K and `/`. */
export function offerSearch(): void {
  const dialog = find('#search', HTMLDialogElement);
  const input = find('#search-text', HTMLInputElement);
  const open = () => {
    entries ??= findAll('[data-find]').map(entryOf);
    if (!dialog.open) dialog.showModal();
    input.select();
    show(input);
  };
  find('#open-search', HTMLElement).addEventListener('click', open);
  addEventListener('keydown', (event) => {
    const { key, target } = event;
    const typing = target instanceof Element && target.closest('input, textarea, select, dialog') !== null;
    const shortcut = (key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)) || (key === '/' && !typing);
    if (!shortcut || document.querySelector('dialog[open]:not(#search)') !== null) return;
    event.preventDefault();
    open();
  });
  input.addEventListener('input', () => show(input));
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp')
      choose(input, chosen + (event.key === 'ArrowDown' ? 1 : -1));
    else if (event.key === 'Enter') options()[Math.max(chosen, 0)]?.click();
    else return;
    event.preventDefault();
  });
}

function show(input: HTMLInputElement): void {
  const found = search(entries ?? [], input.value);
  find('#search-results', HTMLElement).replaceChildren(...found.map(optionOf));
  input.setAttribute('aria-expanded', String(found.length > 0));
  const count = found.length > 0 ? text('results', { count: found.length }) : text('noResults');
  find('#search-count', HTMLElement).textContent = input.value.trim() === '' ? '' : count;
  choose(input, found.length > 0 ? 0 : -1);
}

function choose(input: HTMLInputElement, index: number): void {
  const shown = options();
  chosen = shown.length === 0 ? -1 : (index + shown.length) % shown.length;
  for (const [at, option] of shown.entries()) option.setAttribute('aria-selected', String(at === chosen));
  const option = shown[chosen];
  if (option === undefined) input.removeAttribute('aria-activedescendant');
  else input.setAttribute('aria-activedescendant', option.id);
  option?.scrollIntoView({ block: 'nearest' });
}

function options(): HTMLElement[] {
  return findAll('#search-results [role=option]');
}

function optionOf({ kind, title, place, id }: Entry, index: number): HTMLElement {
  const option = create(
    'li',
    { id: `search-result-${index}` },
    create('span', { className: 'kind' }, text(kind)),
    create('b', {}, title),
    create('small', {}, place),
  );
  option.setAttribute('role', 'option');
  option.addEventListener('click', () => {
    find('#search', HTMLDialogElement).close();
    location.hash = `#${id}`;
    document.getElementById(id)?.scrollIntoView();
  });
  return option;
}

function entryOf(element: HTMLElement): Entry {
  const kind = element.dataset['find'] ?? '';
  const operation = element.closest('.operation')?.querySelector('h3, h2')?.textContent ?? '';
  const section = element.closest('section')?.querySelector('h2, h3')?.textContent ?? '';
  if (kind === 'operation') {
    const about = element.parentElement?.textContent ?? '';
    const place = element.parentElement?.querySelector('.address code')?.textContent ?? '';
    return { kind, title: element.textContent, place, about, id: element.id.replace(/-title$/, '') };
  }
  const title = (kind === 'guide' ? element : element.querySelector('code'))?.textContent ?? '';
  return { kind, title, place: operation || section, about: textAbout(kind, element), id: element.id };
}

/** What the page says about something: of a heading the text below it, of an error all, of a field its description. */
function textAbout(kind: string, element: HTMLElement): string {
  if (kind === 'error') return element.textContent;
  if (kind === 'field') return element.querySelector(':scope > p:nth-of-type(2)')?.textContent ?? '';
  const below = element.tagName === 'H2' ? element.closest('section') : element.nextElementSibling;
  return below?.textContent ?? '';
}
