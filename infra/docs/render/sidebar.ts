import { operationsOf } from '../openapi.ts';
import type { Context } from './context.ts';
import type { GuidePart } from './guide.ts';
import { type Html, html } from './html.ts';
import { operationName } from './operation.ts';

/** The contents beside the page: parts of the page, operations by their group, headings of the guide. */
export function sidebar(context: Context, guide: readonly GuidePart[]): Html {
  const { document, texts, root } = context;
  const operations = operationsOf(document);
  const groups = document.tags.map(({ name }) => {
    const entries = operations
      .filter(({ tags }) => tags[0] === name)
      .map(
        ({ operationId, method }) =>
          html`<li>
            <a href="#${operationId}"
              >${operationName(context, operationId)} <b class="method ${method.toLowerCase()}">${method}</b></a
            >
          </li>`,
      );
    return html`<h2>${name}</h2>
      <ul>
        ${entries}
      </ul>`;
  });
  return html`<aside>
    <a class="brand" href="#top"
      ><img src="${root}icon.svg" alt="" width="28" height="28" /><span>${texts.brand}</span></a
    >
    <button type="button" class="search-button needs-script" id="open-search" aria-keyshortcuts="Control+K /">
      ${texts.search} <kbd>Ctrl K</kbd>
    </button>
    <details id="fold">
      <summary>${texts.contents}</summary>
      <nav aria-label="${texts.contents}">
        <h2>${texts.start}</h2>
        <ul>
          <li><a href="#authentication">${texts.authentication}</a></li>
          <li><a href="#states">${texts.states}</a></li>
        </ul>
        ${groups}
        <h2>${texts.guide}</h2>
        <ul>
          <li><a href="#answers">${texts.answers}</a></li>
          ${guide.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li> `)}
        </ul>
      </nav>
    </details>
  </aside>`;
}
