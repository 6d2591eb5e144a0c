import { operationsOf } from '../openapi.ts';
import { sampleLanguages } from '../samples/samples.ts';
import { scriptTexts, textsIn } from '../texts.ts';
import { commonAnswers } from './answers.ts';
import type { Context } from './context.ts';
import { authenticationSection, type Guide, guideSection, quickStart, readGuide } from './guide.ts';
import { type Content, Html, html } from './html.ts';
import { inlineMarkdown } from './markdown.ts';
import { operationName, operationSection } from './operation.ts';

/** The generator that marks a page as made by this program. */
export const generator = 'supplier-portal-invoice-service docs';

/** The whole page in one language. */
export function renderPage(context: Context): string {
  const { document, language, texts, root, policy } = context;
  const otherLanguage = language === 'en' ? 'es' : 'en';
  // The English page leads to the Spanish one who prefers it: this address says that English was chosen.
  const other = language === 'en' ? 'es/index.html' : '../index.html?language=en';
  const operations = operationsOf(document);
  const guide = readGuide(context);
  const tags = document.tags.map(
    ({ name, description }) =>
      html`<section class="tag">
        <h2>${name}</h2>
        <p>${inlineMarkdown(description)}</p>
        ${operations.filter(({ tags: [tag] }) => tag === name).map((operation) => operationSection(context, operation))}
      </section> `,
  );
  const page = html`<html lang="${language}">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="generator" content="${generator}" />
      <meta name="referrer" content="no-referrer" />
      ${policy !== undefined && html`<meta http-equiv="Content-Security-Policy" content="${policy}" />`}
      <title>${document.info.title}: ${texts.reference}</title>
      <link rel="icon" href="${root}icon.svg" type="image/svg+xml" />
      <link rel="alternate" hreflang="${otherLanguage}" href="${other}" />
      <link rel="stylesheet" href="${root}page.css" />
      <script src="${root}early.js"></script>
      <script src="${root}page.js" defer></script>
    </head>
    <body id="top">
      <a class="skip" href="#endpoints">${texts.skip}</a>
      ${sidebar(context, guide)}
      <div class="page">
        <header>
          <h1>${document.info.title}</h1>
          <p class="lead">${texts.lead}</p>
          <p class="about">
            <a href="${other}" lang="${otherLanguage}" id="other-language">${texts.otherLanguage}</a>
            <span>${texts.version} ${document.info.version}</span>
            <span
              >${texts.download} <a href="${root}openapi${language === 'es' ? '.es' : ''}.json" download>JSON</a>,
              <a href="${root}openapi.yaml" download>YAML</a></span
            >
          </p>
        </header>
        ${bar(context)}
        <main id="endpoints" tabindex="-1">
          ${quickStart(context, guide)} ${authenticationSection(context, guide)} ${tags}
          ${commonAnswers(context, operations)} ${guideSection(context, guide)}
        </main>
        <footer><p>${texts.footer}</p></footer>
      </div>
      <p id="announcement" class="unseen" aria-live="polite"></p>
      ${settingsBlock(context)}
    </body>
  </html>`;
  return `<!doctype html>\n${page.text}\n`;
}

/** The search, and the contents beside the page: operations by their group, headings of the guide. */
function sidebar(context: Context, guide: Guide): Html {
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
        ${group(texts.start, [link('quick-start', texts.quickStart), link('authentication', texts.authentication)])}
        ${groups}
        ${group(texts.guide, [link('answers', texts.answers), ...guide.others.map(({ id, title }) => link(id, title))])}
      </nav>
    </details>
  </aside>`;
}

function link(id: string, title: Content): Html {
  return html`<a href="#${id}">${title}</a>`;
}

/** What holds for the whole page: who is logged in, and the language of the samples. */
function bar({ texts, settings }: Context): Html {
  const languages = Object.entries(sampleLanguages);
  return html`<div class="bar needs-script">
      ${
        settings &&
        html`<p role="status" id="session"></p>
          <a href="#log-in">${texts.credentials}</a>
          <button type="button" id="log-out" hidden>${texts.logOut}</button>`
      }
      <label>
        ${texts.samples}
        <select id="sample-language">
          ${languages.map(([key, { name }]) => html`<option value="${key}">${name}</option>`)}
        </select>
      </label>
    </div>
    ${
      settings?.baseUrl && html`<small>${texts.tryItAt} <code>${settings.baseUrl}</code>. ${texts.tryItOrigin}</small>`
    }`;
}

/** Data, which no policy keeps from being read: a script of the page may not stand in it. */
function settingsBlock({ language, sampleUrl, settings }: Context): Html {
  const data = { language, sampleUrl, texts: textsIn(scriptTexts, language), tryIt: settings ?? null };
  const json = JSON.stringify(data).replaceAll('<', String.raw`\u003c`);
  return html`<script type="application/json" id="settings">
    ${new Html(json)}
  </script>`;
}
