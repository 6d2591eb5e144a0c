import { storeChoice } from './choices.ts';
import { announce, findAll } from './elements.ts';
import { serviceUrl, settings, text } from './settings.ts';

/** Lets somebody choose the language of all samples and copy them, and puts the address of the service into them. */
export function offerSamples(): void {
  addressSamples();
  const buttons = findAll<HTMLButtonElement>('[data-choose]');
  const show = (chosen: string) => {
    document.documentElement.dataset['sample'] = chosen;
    for (const button of buttons) button.setAttribute('aria-pressed', String(button.dataset['choose'] === chosen));
  };
  const known = buttons.map(({ dataset }) => dataset['choose']);
  const stored = document.documentElement.dataset['sample'] ?? '';
  show(known.includes(stored) ? stored : 'curl');
  for (const button of buttons) {
    button.addEventListener('click', () => {
      const before = button.getBoundingClientRect().top;
      const chosen = button.dataset['choose'] ?? '';
      show(chosen);
      storeChoice('sample', chosen);
      // Samples above became longer or shorter, too.
      scrollBy({ top: button.getBoundingClientRect().top - before, behavior: 'instant' });
    });
  }
  for (const button of findAll<HTMLButtonElement>('.copy')) button.addEventListener('click', () => void copy(button));
}

/** A page that a service serves calls that service, wherever it listens. */
function addressSamples(): void {
  if (settings.tryIt?.baseUrl !== '' || settings.sampleUrl === serviceUrl()) return;
  for (const code of findAll('pre code')) {
    const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode as Text;
      if (node.data.includes(settings.sampleUrl)) node.data = node.data.replaceAll(settings.sampleUrl, serviceUrl());
    }
  }
}

async function copy(button: HTMLButtonElement): Promise<void> {
  const samples = [...(button.closest('.doing')?.querySelectorAll<HTMLElement>('.sample') ?? [])];
  const shown = samples.find((sample) => sample.checkVisibility());
  const code = shown?.querySelector('code');
  if (!code) return;
  const done = await copyText(code);
  const label = (button.dataset['label'] ??= button.textContent);
  button.textContent = text(done);
  announce(text(done));
  setTimeout(() => (button.textContent = label), 1_500);
}

/** A browser gives no clipboard to a page over plain HTTP; there the code is selected, ready to be copied by hand. */
async function copyText(code: HTMLElement): Promise<'copied' | 'selected'> {
  try {
    await navigator.clipboard.writeText(code.textContent);
    return 'copied';
  } catch {
    getSelection()?.selectAllChildren(code);
    return 'selected';
  }
}
