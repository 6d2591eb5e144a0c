import { create, find } from './elements.js';
/** @import { Renderer, RendererRequest, RendererResponse } from './renderer.d.ts' */

const loginPath = '/apidev/v1/login';
const schemes = ['tenant', 'apiKey', 'token'];

/**
 * Keeps the token of the last login, and says on the page who is logged in.
 * @param {{ tenant: string, apiKey: string } | null} account The demo account, if there is one.
 */
export function createSession(account) {
  /** @type {Map<string, string>} */
  const emailOf = new Map();
  let lastLogin = '';
  let expired = false;

  /** @param {Renderer} ui */
  const show = (ui) => {
    const { tenant, apiKey, token } = ui.authSelectors.authorized().toJS();
    const user = token && (emailOf.get(token.value) ?? 'the user of the token that was entered');
    const line = find('#session');
    line.dataset['state'] = user ? 'in' : 'out';
    if (user) line.replaceChildren('Logged in as ', bold(user), tenant ? ` (tenant ${tenant.value})` : '');
    else if (expired) line.replaceChildren(bold('The token has expired.'), ' Log in again.');
    else if (tenant && apiKey) line.replaceChildren(bold('Not logged in.'), ` ${filledIn(tenant.value, apiKey.value)}`);
    else if (account) line.replaceChildren(bold('Not logged in.'), ' A tenant and an API key are needed.');
    else line.replaceChildren(bold('Not logged in.'), ' There are no demo data here: enter credentials of your own.');
  };

  return {
    /** @param {RendererRequest} request */
    sending(request) {
      if (request.url.endsWith(loginPath)) lastLogin = request.body ?? '';
      return request;
    },

    /**
     * @param {Renderer} ui
     * @param {RendererResponse} response
     */
    received(ui, response) {
      const token = response.url.endsWith(loginPath) ? response.body?.data?.authorization : undefined;
      if (token) {
        emailOf.set(token, JSON.parse(lastLogin).email);
        ui.preauthorizeApiKey('token', token);
      }
      expired = response.body?.error?.code === 'TOKEN_EXPIRED';
      if (expired) ui.authActions.logout(['token']);
      return response;
    },

    /**
     * Fills in the credentials of the demo account, if there is one, and lets the user change them.
     * @param {Renderer} ui
     */
    begin(ui) {
      if (account) {
        ui.preauthorizeApiKey('tenant', account.tenant);
        ui.preauthorizeApiKey('apiKey', account.apiKey);
      }
      offerCredentials(ui);
      ui.getStore().subscribe(() => show(ui));
      show(ui);
    },
  };
}

/**
 * @param {string} tenant
 * @param {string} apiKey
 */
function filledIn(tenant, apiKey) {
  return `The tenant ${tenant} and the API key …${apiKey.slice(-4)} are filled in.`;
}

/** @param {string} text */
function bold(text) {
  return create('b', {}, text);
}

/**
 * Lets the user see and change the credentials that go along with every call.
 * @param {Renderer} ui
 */
function offerCredentials(ui) {
  const dialog = /** @type {HTMLDialogElement} */ (find('#credentials'));
  /** @param {string} scheme */
  const field = (scheme) => /** @type {HTMLInputElement} */ (find(`#credentials [name=${scheme}]`));

  find('#change-credentials').addEventListener('click', () => {
    const current = ui.authSelectors.authorized().toJS();
    for (const scheme of schemes) field(scheme).value = current[scheme]?.value ?? '';
    // Escape leaves what the last closing said.
    dialog.returnValue = '';
    dialog.showModal();
  });
  dialog.addEventListener('close', () => {
    if (dialog.returnValue !== 'use') return;
    for (const scheme of schemes) {
      const value = field(scheme).value.trim();
      if (value === '') ui.authActions.logout([scheme]);
      else ui.preauthorizeApiKey(scheme, value);
    }
  });
}
