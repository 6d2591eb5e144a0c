import type { Context } from './context.ts';
import { type GuidePart, guideText } from './guide.ts';
import { type Content, type Html, html } from './html.ts';

/** How to log in and to use the token, step by step, beside the form that logs in. */
export function authenticationSection(context: Context, { id, title, source }: GuidePart): Html {
  const { texts } = context;
  return html`<section id="authentication" class="operation" aria-labelledby="${id}">
    <div class="intro">
      <h2 id="${id}" data-find="${title}">${title}</h2>
      ${!context.hasDemoData && html`<p class="note">${texts.ownValues}</p>`}
    </div>
    <div class="doing">${context.tryIt ? logInForm(context) : html`<p class="note">${texts.tryItOff}</p>`}</div>
    <div class="reading">${guideText(source)}</div>
  </section>`;
}

/** The credentials of the page: all calls take them from here. */
function logInForm({ texts }: Context): Html {
  const field = (label: string, attributes: Content) =>
    html`<label>${label} <input ${attributes} spellcheck="false" /></label>`;
  return html`<form class="panel needs-script" id="log-in" aria-labelledby="log-in-title">
    <h3 id="log-in-title">${texts.logInPanel}</h3>
    ${field(texts.tenant, html`name="tenant" autocomplete="off"`)}
    ${field(texts.apiKey, html`name="apiKey" autocomplete="off"`)}
    ${field(texts.email, html`name="email" type="email" autocomplete="username"`)}
    ${field(texts.password, html`name="password" type="password" autocomplete="current-password"`)}
    <div class="buttons">
      <button type="submit" class="primary">${texts.logIn}</button>
    </div>
    <p class="outcome" id="log-in-outcome" aria-live="polite"></p>
    ${field(texts.token, html`name="token" autocomplete="off"`)}
    <p class="note">${texts.credentialsHint}</p>
  </form>`;
}
