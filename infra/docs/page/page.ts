import { storeChoice } from './choices.ts';
import { find } from './elements.ts';
import { offerFolds } from './folds.ts';
import { offerSamples } from './samples.ts';
import { offerSearch } from './search.ts';
import { offerSession } from './session.ts';
import { settings } from './settings.ts';
import { offerTrials } from './try-it.ts';

const languageLink = find('#other-language', HTMLAnchorElement);
languageLink.addEventListener('click', () => {
  storeChoice('language', settings.language === 'en' ? 'es' : 'en');
  languageLink.hash = location.hash;
});
// On a narrow page the contents stand above what their links lead to.
const contents = find('#contents', HTMLDetailsElement);
contents.addEventListener('click', ({ target }) => {
  if (target instanceof Element && target.closest('a')) contents.open = false;
});

offerFolds();
offerSamples();
offerSearch();
if (settings.tryIt !== null) {
  offerSession(settings.tryIt.demo);
  offerTrials();
}
