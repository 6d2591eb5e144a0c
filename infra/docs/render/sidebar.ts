import { operationsOf } from '../openapi.ts';
import type { Context } from './context.ts';
import type { GuidePart } from './guide.ts';
import { type Content, type Html, html } from './html.ts';
import { operationName } from './operation.ts';

/** The search, and the contents beside the page: operations by their group, headings of the guide. */
export function sidebar(context: Context, guide: readonly GuidePart[]): Html {
  const { document, texts, root } = context;
  const operations = operationsOf(document);
  const group = (title: string, links: readonly Html[]) =>
    html`<h2>${title}</h2>
      <ul>
        ${links.map((one) => html`<li>${one}</li> `)}
      </ul>`;
  const groups = document.tags.map(({ name }) => {
    const own = operations.filter(({ tags }) => tags[0] === name);
    return group(
      name,
      own.map(({ operationId }) => link(operationId, operationName(context, operationId))),
    );
  });
  return html`<aside>
    <a class="brand" href="#top"><img src="${root}icon.svg" alt="" width="28" height="28" /> ${texts.brand}</a>
    <form id="search" role="search" class="needs-script">
      <input aria-label="${texts.searchLabel}" list="names" autocomplete="off" spellcheck="false" required />
      <datalist id="names"></datalist>
      <button>${texts.search}</button>
    </form>
    <details id="contents">
      <summary>${texts.contents}</summary>
      <nav aria-label="${texts.contents}">
        ${group(texts.start, [link('authentication', texts.authentication)])} ${groups}
        ${group(texts.guide, [link('answers', texts.answers), ...guide.map(({ id, title }) => link(id, title))])}
      </nav>
    </details>
  </aside>`;
}

function link(id: string, title: Content): Html {
  return html`<a href="#${id}">${title}</a>`;
}
