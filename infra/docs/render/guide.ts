import type { Context } from './context.ts';
import { type Html, html } from './html.ts';
import { markdown, slug } from './markdown.ts';

/** A part of the guide: a heading with what follows it. */
export interface GuidePart {
  readonly id: string;
  readonly title: string;
  /** Without the heading. */
  readonly source: string;
}

/** What the document says before the first heading, and the parts after it. */
export interface Guide {
  readonly introduction: string;
  readonly parts: readonly GuidePart[];
}

const prefix = 'guide-';

/** Divides the description of the document into its parts. */
export function readGuide({ document }: Pick<Context, 'document'>): Guide {
  const [introduction = '', ...sources] = document.info.description.split(/^(?=### )/m);
  const parts = sources.map((source) => {
    const [, title = '', rest = ''] = /^### (.*)\n([^]*)/.exec(source) ?? [];
    return { id: prefix + slug(title), title, source: rest };
  });
  return { introduction, parts };
}

/** The part with this title, which has a place of its own on the page, and the guide without it. */
export function takePart(
  { introduction, parts }: Guide,
  title: string,
): { readonly part: GuidePart; readonly rest: Guide } {
  const part = parts.find((one) => one.title === title);
  if (part === undefined) throw new Error(`The guide has no part "${title}".`);
  return { part, rest: { introduction, parts: parts.filter((one) => one !== part) } };
}

/** The text of the guide as HTML, below a heading of the page. */
export function guideText(source: string): Html {
  return html`<div class="guide-part">${markdown(source, { lowest: 3, prefix })}</div>`;
}

/** The guide, below the operations. */
export function guideSection({ texts }: Context, { introduction, parts }: Guide): Html {
  return html`<section id="guide">
    <h2>${texts.guide}</h2>
    ${guideText(introduction)}
    ${parts.map(
      ({ id, title, source }) =>
        html`<h3 id="${id}" data-find="guide">${title}</h3>
          ${guideText(source)}`,
    )}
  </section>`;
}
