import type { DemoAccount } from '../../demo-account.ts';
import { apiRootOf } from './choices.ts';
import { find } from './elements.ts';

interface Settings {
  readonly language: string;
  readonly sampleUrl: string;
  readonly texts: Readonly<Record<string, string>>;
  /** Where calls go, and the demo account if there is one; null: nothing can be tried out. */
  readonly tryIt: { readonly baseUrl: string; readonly demo?: DemoAccount } | null;
}

/** What the page was made with. */
export const settings = JSON.parse(find('#settings', HTMLElement).textContent) as Settings;

/**
 * The address of the service, in front of `/apidev`: the one that the page was made with, else the one it came from.
 */
export function serviceUrl(): string {
  return settings.tryIt?.baseUrl || apiRootOf(location.href);
}

/** A text of the page in its language; `{name}` in it is replaced. */
export function text(name: string, values: Readonly<Record<string, string | number>> = {}): string {
  const found = settings.texts[name];
  if (found === undefined) throw new Error(`There is no text ${name}.`);
  return found.replace(/\{(\w+)\}/g, (_, key: string) => String(values[key]));
}
