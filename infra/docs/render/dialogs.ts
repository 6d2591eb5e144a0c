import type { Context } from './context.ts';
import { type Html, html } from './html.ts';

/** Where somebody types what to find. */
export function searchDialog({ texts }: Context): Html {
  return html`<dialog id="search" closedby="any" aria-label="${texts.search}">
    <form method="dialog">
      <input
        id="search-text"
        type="text"
        role="combobox"
        aria-label="${texts.searchLabel}"
        placeholder="${texts.searchLabel}"
        aria-controls="search-results"
        aria-expanded="false"
        aria-autocomplete="list"
        autocomplete="off"
        spellcheck="false"
      />
      <button value="">${texts.close}</button>
    </form>
    <p id="search-count" class="note" aria-live="polite"></p>
    <ul id="search-results" role="listbox" aria-label="${texts.searchResults}"></ul>
  </dialog>`;
}

/** Where somebody enters other credentials than those that are filled in. */
export function credentialsDialog({ texts }: Context): Html {
  return html`<dialog id="credentials" aria-labelledby="credentials-title">
    <form method="dialog">
      <h2 id="credentials-title">${texts.credentials}</h2>
      <p>${texts.credentialsHint}</p>
      <label>${texts.tenant} <input name="tenant" autocomplete="off" spellcheck="false" /></label>
      <label>${texts.apiKey} <input name="apiKey" autocomplete="off" spellcheck="false" /></label>
      <label>${texts.token} <textarea name="token" rows="4" autocomplete="off" spellcheck="false"></textarea></label>
      <div class="buttons">
        <button value="use" class="primary">${texts.use}</button>
        <button value="">${texts.cancel}</button>
      </div>
    </form>
  </dialog>`;
}
