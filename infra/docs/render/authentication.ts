import { curlCommand } from '../samples/curl-command.ts';
import { loginCommand } from '../samples/curl.ts';
import type { Context } from './context.ts';
import { highlight } from './highlight.ts';
import { type Content, type Html, html } from './html.ts';

/** How to log in and to use the token, step by step, beside a panel that logs in. */
export function authenticationSection(context: Context): Html {
  const { texts } = context;
  return html`<section id="authentication" class="operation" aria-labelledby="authentication-title">
    <div class="reading">
      <h2 id="authentication-title" data-find="guide">${texts.authentication}</h2>
      ${context.isPublished && html`<p class="note">${texts.ownValues}</p>`}
      <ol class="steps">
        <li>
          <h3>${texts.step1}</h3>
          <p>${texts.step1Text}</p>
          ${code(loginCommand({ baseUrl: context.sampleUrl, account: context.account }))}
        </li>
        <li>
          <h3>${texts.step2}</h3>
          <p>${texts.step2Text}</p>
          ${code(callStep(context))}
        </li>
        <li>
          <h3>${texts.step3}</h3>
          <p>${texts.step3Text}</p>
        </li>
      </ol>
    </div>
    <div class="doing">${context.tryIt ? logInPanel(context) : html`<p class="note">${texts.tryItOff}</p>`}</div>
  </section>`;
}

function code(text: string): Html {
  return html`<pre tabindex="0"><code>${highlight(text)}</code></pre>`;
}

function callStep({ sampleUrl, account }: Context): string {
  return curlCommand({
    method: 'GET',
    url: `${sampleUrl}/apidev/v1/supplier-portal/invoices/9001`,
    headers: { tenant: account.tenant, Authorization: 'Bearer $TOKEN', 'X-API-Key': account.apiKey },
  });
}

function logInPanel({ texts }: Context): Html {
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
    <p class="note">${texts.logInHint}</p>
  </form>`;
}
