/** Runs before the page is drawn: goes to the page of one's language, and marks what only a script can do. */
import { preferredLanguage, storedChoice } from './choices.ts';

const root = document.documentElement;
root.classList.add('js');
root.dataset['sample'] = storedChoice('sample') ?? 'curl';

const chosen = new URLSearchParams(location.search).get('language') ?? storedChoice('language');
// Who opened the Spanish page by its address has chosen it.
if (root.lang === 'en' && preferredLanguage(chosen, navigator.languages) === 'es') {
  const folder = location.pathname.replace(/[^/]*$/, '');
  location.replace(`${folder}es/index.html${location.hash}`);
}
