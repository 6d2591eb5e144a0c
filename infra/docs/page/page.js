import { find } from './elements.js';
import { layoutPlugin } from './layout.js';
import { followAddress, listOperations } from './navigation.js';
import { createSession } from './session.js';
import { withTenantAmongCredentials } from './tenant.js';

const [document, account] = await Promise.all(['/openapi.json', '/docs/account.json'].map(fetchJson));
const spec = withTenantAmongCredentials(document);

listOperations(spec);
const session = createSession(account);
const ui = SwaggerUIBundle({
  domNode: find('#endpoints'),
  spec,
  layout: 'ReferenceLayout',
  plugins: [layoutPlugin],
  tryItOutEnabled: true,
  displayRequestDuration: true,
  defaultModelExpandDepth: 3,
  requestInterceptor: (request) => session.sending(request),
  responseInterceptor: (response) => session.received(ui, response),
  onComplete: () => {
    session.begin(ui);
    followAddress(ui);
  },
});

/** @param {string} path */
async function fetchJson(path) {
  const response = await fetch(path);
  return response.json();
}
