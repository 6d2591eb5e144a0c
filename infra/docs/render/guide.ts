import type { Context } from './context.ts';
import { type Content, type Html, html } from './html.ts';
import { guideId, markdown } from './markdown.ts';

/** The description of the document: what stands before all parts, the part on authentication, and the other parts. */
export type Guide = ReturnType<typeof readGuide>;

/** Divides the description of the document into its parts, each as HTML below a heading of the page. */
export function readGuide({ document, texts }: Context) {
  const textOf = (source: string) => html`<div class="guide-part">${markdown(source)}</div>`;
  const [introduction = '', ...sources] = document.info.description.split(/^(?=### )/m);
  const parts = sources.map((source) => {
    const [, title = '', rest = ''] = /^### (.*)\n([^]*)/.exec(source) ?? [];
    return { id: guideId(title), title, text: textOf(rest) };
  });
  const authentication = parts.find(({ title }) => title === texts.authentication);
  if (authentication === undefined) throw new Error(`The guide has no part "${texts.authentication}".`);
  return { introduction: textOf(introduction), authentication, others: parts.filter((one) => one !== authentication) };
}

/** The whole way in a few steps, before everything else. */
export function quickStart({ texts }: Context, { introduction }: Guide): Html {
  return html`<section id="quick-start">
    <h2 data-find="${texts.quickStart}">${texts.quickStart}</h2>
    ${introduction}
  </section>`;
}

/** The guide, below the operations. */
export function guideSection({ texts }: Context, { others }: Guide): Html {
  return html`<section id="guide">
    <h2>${texts.guide}</h2>
    ${others.map(
      ({ id, title, text }) =>
        html`<h3 id="${id}" data-find="${title}">${title}</h3>
          ${text}`,
    )}
  </section>`;
}

/** How to log in and to use the token, step by step, beside the form that logs in. */
export function authenticationSection({ texts, settings }: Context, { authentication }: Guide): Html {
  const { id, title, text } = authentication;
  return html`<section id="authentication" class="operation columns" aria-labelledby="${id}">
    <div class="intro">
      <h2 id="${id}" data-find="${title}">${title}</h2>
      ${!settings?.demo && html`<small>${texts.ownValues}</small>`}
    </div>
    <div class="doing">${settings ? logInForm(texts) : html`<small>${texts.tryItOff}</small>`}</div>
    <div>${text}</div>
  </section>`;
}

/** The credentials of the page: all calls take them from here. */
function logInForm(texts: Context['texts']): Html {
  const field = (label: string, attributes: Content) =>
    html`<label>${label} <input ${attributes} spellcheck="false" /></label>`;
  return html`<form class="panel needs-script" id="log-in" aria-labelledby="log-in-title">
    <h3 id="log-in-title">${texts.logInPanel}</h3>
    ${field(texts.tenant, html`name="tenant" autocomplete="off"`)}
    ${field(texts.apiKey, html`name="apiKey" autocomplete="off"`)}
    ${field(texts.email, html`name="email" type="email" autocomplete="username"`)}
    ${field(texts.password, html`name="password" type="password" autocomplete="current-password"`)}
    <div class="buttons"><button class="primary">${texts.logIn}</button></div>
    <p id="log-in-outcome" aria-live="polite"></p>
    ${field(texts.token, html`name="token" autocomplete="off"`)}
    <small>${texts.credentialsHint}</small>
  </form>`;
}
