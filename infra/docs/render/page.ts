import type { DemoAccount } from '../../demo-account.ts';
import { operationsOf } from '../openapi.ts';
import { sampleLanguages } from '../samples/samples.ts';
import { scriptTexts, textsIn } from '../texts.ts';
import { commonAnswers } from './answers.ts';
import { authenticationSection } from './authentication.ts';
import type { Context } from './context.ts';
import { guideSection, readGuide } from './guide.ts';
import { Html, html } from './html.ts';
import { inlineMarkdown } from './markdown.ts';
import { operationSection } from './operation.ts';
import { sidebar } from './sidebar.ts';

/** What the script of the page is told. */
export interface PageSettings {
  /** Where calls go; empty: to the origin of the page. */
  readonly baseUrl: string;
  /** What the forms are filled in with, if there are demo data. */
  readonly demo: DemoAccount | undefined;
}

/** The generator that marks a page as made by this program. */
export const generator = 'supplier-portal-invoice-service docs';

/** The whole page in one language; without settings nothing can be tried out. */
export function renderPage(context: Context, settings: PageSettings | undefined, policy?: string): string {
  const { document, language, texts, root } = context;
  // The English page leads to the Spanish one who prefers it: this address says that English was chosen.
  const other = language === 'en' ? 'es/index.html' : '../index.html?language=en';
  const operations = operationsOf(document);
  const guide = readGuide(context, texts.authentication);
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
      <link rel="alternate" hreflang="${language === 'en' ? 'es' : 'en'}" href="${other}" />
      <link rel="stylesheet" href="${root}page.css" />
      <script src="${root}early.js"></script>
      <script src="${root}page.js" defer></script>
    </head>
    <body id="top">
      <a class="skip" href="#endpoints">${texts.skip}</a>
      ${sidebar(context, guide.others)}
      <div class="page">
        <header>
          <h1>${document.info.title}</h1>
          <p class="lead">${texts.lead}</p>
          <p class="about">
            <a href="${other}" lang="${language === 'en' ? 'es' : 'en'}" id="other-language">${texts.otherLanguage}</a>
            <span>${texts.version} ${document.info.version}</span>
            <span
              >${texts.download} <a href="${root}openapi${language === 'es' ? '.es' : ''}.json" download>JSON</a>,
              <a href="${root}openapi.yaml" download>YAML</a></span
            >
          </p>
        </header>
        ${bar(context, settings)}
        <main id="endpoints" tabindex="-1">
          ${authenticationSection(context, guide.part)} ${tags} ${commonAnswers(context, operations)}
          ${guideSection(context, guide)}
        </main>
        <footer><p>${texts.footer}</p></footer>
      </div>
      <p id="announcement" class="unseen" aria-live="polite"></p>
      ${settingsBlock(context, settings)}
    </body>
  </html>`;
  return `<!doctype html>\n${page.text}\n`;
}

/** What holds for the whole page: who is logged in, and the language of the samples. */
function bar({ texts }: Context, settings: PageSettings | undefined): Html {
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
      settings?.baseUrl &&
      html`<p class="note">${texts.tryItAt} <code>${settings.baseUrl}</code>. ${texts.tryItOrigin}</p>`
    }`;
}

/** Data, which no policy keeps from being read: a script of the page may not stand in it. */
function settingsBlock({ language, sampleUrl }: Context, settings: PageSettings | undefined): Html {
  const data = { language, sampleUrl, texts: textsIn(scriptTexts, language), tryIt: settings ?? null };
  const json = JSON.stringify(data).replaceAll('<', String.raw`\u003c`);
  return html`<script type="application/json" id="settings">
    ${new Html(json)}
  </script>`;
}
