import { storeChoice } from './choices.ts';
import { announce, find, findAll } from './elements.ts';
import { serviceUrl, settings, text } from './settings.ts';

/** Lets somebody choose the language of all samples and copy them, and puts the address of the service into them. */
export function offerSamples(): void {
  // A page that a service serves calls that service, wherever it listens.
  if (settings.tryIt?.baseUrl === '') {
    for (const code of findAll('pre code'))
      code.textContent = code.textContent.replaceAll(settings.sampleUrl, serviceUrl());
  }
  const choice = find('#sample-language', HTMLSelectElement);
  const { dataset } = document.documentElement;
  choice.value = dataset['sample'] ?? '';
  if (choice.value === '') choice.value = dataset['sample'] = 'curl';
  choice.addEventListener('change', () => {
    dataset['sample'] = choice.value;
    storeChoice('sample', choice.value);
  });
  for (const button of findAll<HTMLButtonElement>('.copy')) button.addEventListener('click', () => void copy(button));
}

async function copy(button: HTMLButtonElement): Promise<void> {
  const samples = [...(button.closest('.doing')?.querySelectorAll<HTMLElement>('.sample code') ?? [])];
  const code = samples.find((sample) => sample.checkVisibility());
  if (!code) return;
  let done: 'copied' | 'selected' = 'copied';
  try {
    await navigator.clipboard.writeText(code.textContent);
  } catch {
    // A page over plain HTTP has no clipboard: there the code is ready to be copied by hand.
    getSelection()?.selectAllChildren(code);
    done = 'selected';
  }
  announce(text(done));
  button.textContent = text(done);
  setTimeout(() => (button.textContent = text('copy')), 1_500);
}
