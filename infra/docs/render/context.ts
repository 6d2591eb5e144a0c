import type { Language } from '../../../lib/domain/language.ts';
import type { DemoAccount } from '../../demo-account.ts';
import type { OpenApiDocument } from '../openapi.ts';
import type { pageTexts, Texts } from '../texts.ts';

/** What every part of the page is drawn from. */
export interface Context {
  readonly document: OpenApiDocument;
  readonly language: Language;
  readonly texts: Texts<typeof pageTexts>;
  /** The address in front of `/apidev` in the samples. */
  readonly sampleUrl: string;
  /** Whose data the samples and the forms show. */
  readonly account: DemoAccount;
  readonly tryIt: boolean;
  /** Whether the service of the page has the data that the samples show. */
  readonly hasDemoData: boolean;
  /** From the page to the folder of all its files. */
  readonly root: string;
}
