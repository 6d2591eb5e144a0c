import { find } from './find.js';
/** @import { Renderer } from './renderer.d.ts' */

const schemes = ['tenant', 'apiKey', 'token'];

/**
 * Lets the user see and change the credentials that go along with every call.
 * @param {Renderer} ui
 */
export function offerCredentials(ui) {
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
