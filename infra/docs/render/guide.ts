import type { Context } from './context.ts';
import { type Html, html } from './html.ts';
import { markdown, slug } from './markdown.ts';

/** A part of the guide: a heading with what follows it. */
export interface GuidePart {
  readonly id: string;
  readonly title: string;
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
    const title = /^### (.*)/.exec(source)?.[1] ?? '';
    return { id: prefix + slug(title), title, source };
  });
  return { introduction, parts };
}

/** The guide, below the operations. */
export function guideSection({ texts }: Context, { introduction, parts }: Guide): Html {
  return html`<section id="guide">
    <h2>${texts.guide}</h2>
    ${[introduction, ...parts.map(({ source }) => source)].map((source) => html`<div class="guide-part">${markdown(source, { lowest: 3, prefix })}</div> `)}
  </section>`;
}
