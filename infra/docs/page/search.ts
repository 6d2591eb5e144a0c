import { create, find, findAll } from './elements.ts';
import { show } from './folds.ts';
import { text } from './settings.ts';

/** Finds operations, fields, errors and headings by their names; the browser proposes those that fit. */
export function offerSearch(): void {
  const form = find('#search', HTMLFormElement);
  const input = find('#search input', HTMLInputElement);
  const targets = new Map(findAll('[data-find]').map((element) => [element.dataset['find'] || element.id, element]));
  find('#search datalist', HTMLDataListElement).append(
    ...[...targets.keys()].map((value) => create('option', { value })),
  );
  input.addEventListener('input', () => input.setCustomValidity(''));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const target = targets.get(bestOf([...targets.keys()], input.value) ?? '');
    if (target === undefined) {
      input.setCustomValidity(text('noResults'));
      input.reportValidity();
      return;
    }
    location.hash = `#${target.id}`;
    target.scrollIntoView();
    show(target);
  });
}

/** The shortest name that holds every word, without case and accents. */
function bestOf(names: readonly string[], query: string): string | undefined {
  const words = plain(query).split(/\s+/);
  const found = names.filter((name) => words.every((word) => plain(name).includes(word)));
  return found.toSorted((one, other) => one.length - other.length)[0];
}

function plain(words: string): string {
  return words
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase();
}
