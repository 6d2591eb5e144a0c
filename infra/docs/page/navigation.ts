import { storeChoice } from './choices.ts';
import { markCurrentPlace } from './current-place.ts';
import { find } from './elements.ts';
import { settings } from './settings.ts';

/** Keeps contents, language switch and address together, and leads addresses of earlier versions to their place. */
export function followAddress(): void {
  foldContents();
  switchLanguage();
  addEventListener('hashchange', arrive);
  arrive();
  markCurrentPlace();
}

/** Beside the page where there is room for it, folded above it where there is none. */
function foldContents(): void {
  const wide = matchMedia('(min-width: 64rem)');
  const contents = find('#fold', HTMLDetailsElement);
  const fold = () => (contents.open = wide.matches);
  wide.addEventListener('change', fold);
  contents.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a') && !wide.matches) contents.open = false;
  });
  fold();
}

function switchLanguage(): void {
  const link = find('#other-language', HTMLAnchorElement);
  link.addEventListener('click', () => {
    storeChoice('language', settings.language === 'en' ? 'es' : 'en');
    link.hash = location.hash;
  });
}

function arrive(): void {
  // Earlier, an operation had the address `#/Tag/operation`.
  const earlier = /^#\/[^/]+\/([\w-]+)$/.exec(location.hash)?.[1];
  if (earlier !== undefined && document.getElementById(earlier) !== null) {
    history.replaceState(null, '', `#${earlier}`);
    document.getElementById(earlier)?.scrollIntoView();
  }
}
