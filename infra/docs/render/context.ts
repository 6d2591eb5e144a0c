import type { Language } from '../../../lib/domain/language.ts';
import type { OpenApiDocument } from '../../openapi/document.ts';
import type { DemoAccount } from '../../demo-account.ts';
import type { pageTexts, Texts } from '../texts.ts';

/** What a site is made with. */
export interface SiteOptions {
  /** The address in front of `/apidev` in the samples. */
  readonly sampleUrl: string;
  /**
   * What calls of the page need: where they go (empty: to the origin of the page), and what the forms are filled in
   * with, if there are demo data. Without it nothing can be tried out.
   */
  readonly settings?: { readonly baseUrl: string; readonly demo: DemoAccount | undefined } | undefined;
  /** The addresses that the document names as its servers; by default those that it has. */
  readonly servers?: readonly { readonly url: string }[] | undefined;
  /** A content security policy in the page itself, for hosts that send none. */
  readonly policy?: string | undefined;
}

/** What every part of the page is drawn from. */
export interface Context extends SiteOptions {
  readonly document: OpenApiDocument;
  readonly language: Language;
  readonly texts: Texts<typeof pageTexts>;
  /** Whose data the samples and the forms show. */
  readonly account: DemoAccount;
  /** From the page to the folder of all its files. */
  readonly root: string;
}
