import { findAll } from './elements.ts';

/** Shows one operation at a time, the first or the one that the address names; without a script all are open. */
export function offerFolds(): void {
  const folds = findAll('details.fold') as HTMLDetailsElement[];
  const named = foldOf(targetOf(location.hash));
  for (const fold of folds) {
    fold.open = fold === (named ?? folds[0]);
    // From now on the browser closes the others when one opens.
    fold.name = 'operation';
    // What closes above it moves it.
    fold.addEventListener(
      'toggle',
      () => fold.open && fold.querySelector('summary')?.scrollIntoView({ block: 'nearest' }),
    );
  }
  addEventListener('hashchange', () => show(targetOf(location.hash)));
  // A link to where the address leads already changes no address.
  document.addEventListener('click', ({ target }) => {
    const link = target instanceof Element ? target.closest('a[href^="#"]') : null;
    if (link !== null) show(targetOf(link.getAttribute('href') ?? ''));
  });
  if (named !== undefined) show(targetOf(location.hash));
}

/** Opens the operation that an element is in, and leads to the element. */
export function show(target: Element | null): void {
  const fold = foldOf(target);
  if (fold === undefined) return;
  fold.open = true;
  target?.scrollIntoView();
}

function foldOf(target: Element | null): HTMLDetailsElement | undefined {
  return target?.closest('.operation')?.querySelector<HTMLDetailsElement>('details.fold') ?? undefined;
}

/** What an address such as #declare-invoice names; null when it names nothing, or cannot be decoded. */
function targetOf(hash: string): Element | null {
  try {
    return document.getElementById(decodeURIComponent(hash.slice(1)));
  } catch {
    return null;
  }
}
