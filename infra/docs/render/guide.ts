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

/** The description of the document: the part with this title, what stands before all parts, and the other parts. */
export interface Guide {
  readonly part: GuidePart;
  readonly introduction: string;
  readonly others: readonly GuidePart[];
}

const prefix = 'guide-';

/** Divides the description of the document into its parts. */
export function readGuide({ document }: Pick<Context, 'document'>, title: string): Guide {
  const [introduction = '', ...sources] = document.info.description.split(/^(?=### )/m);
  const parts = sources.map((source) => {
    const [, heading = '', rest = ''] = /^### (.*)\n([^]*)/.exec(source) ?? [];
    return { id: prefix + slug(heading), title: heading, source: rest };
  });
  const part = parts.find((one) => one.title === title);
  if (part === undefined) throw new Error(`The guide has no part "${title}".`);
  return { part, introduction, others: parts.filter((one) => one !== part) };
}

/** The text of the guide as HTML, below a heading of the page. */
export function guideText(source: string): Html {
  return html`<div class="guide-part">${markdown(source, { lowest: 3, prefix })}</div>`;
}

/** The guide, below the operations. */
export function guideSection({ texts }: Context, { introduction, others }: Guide): Html {
  return html`<section id="guide">
    <h2>${texts.guide}</h2>
    ${guideText(introduction)}
    ${others.map(
      ({ id, title, source }) =>
        html`<h3 id="${id}" data-find="${title}">${title}</h3>
          ${guideText(source)}`,
    )}
  </section>`;
}
