import { followAddress } from './navigation.ts';
import { offerSamples } from './samples.ts';
import { offerSearch } from './search.ts';
import { offerSession } from './session-view.ts';
import { settings } from './settings.ts';
import { offerTrials } from './try-it.ts';

followAddress();
offerSamples();
offerSearch();
if (settings.tryIt !== null) {
  offerSession(settings.tryIt);
  offerTrials();
}
