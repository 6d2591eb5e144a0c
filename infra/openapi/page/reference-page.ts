import type { SampleAccount } from '../../../lib/contracts/contract.ts';
import type { Language, Text } from '../../../lib/domain/language.ts';
import type { OpenApiDocument } from '../document.ts';
import type { Operation } from '../operation-objects.ts';
import scalarTexts from './scalar-texts.es.json' with { type: 'json' };

/** The texts of the page itself. Scalar, which shows the OpenAPI document in the browser, has texts of its own. */
export const PAGE_TEXTS = {
  reference: { en: 'API reference', es: 'Referencia de la API' },
  languageLink: { en: 'Español', es: 'English' },
  guide: { en: 'Guide', es: 'Guía' },
  token: {
    en: 'Optional: by default, the token of the latest login.',
    es: 'Opcional: por defecto, el token del último login.',
  },
  noScript: {
    en: 'The reference needs JavaScript. You can read the guide and the OpenAPI document without it.',
    es: 'La referencia necesita JavaScript. La guía y el documento OpenAPI se pueden leer sin él.',
  },
} as const satisfies Readonly<Record<string, Text>>;

/**
 * The relative paths of a page. site-files.ts serves the English page at index.html, and the Spanish page at
 * es/index.html, with all other files in the root. In a Spanish browser, reference.js replaces the English page by the
 * Spanish one, unless the address has a query, such as that of the link to the English page.
 */
const PATHS = {
  en: { root: '', suffix: '', linkedLanguage: 'es', linkedPage: 'es/index.html' },
  es: { root: '../', suffix: '.es', linkedLanguage: 'en', linkedPage: '../index.html?language=en' },
} as const;

/**
 * Renders the page with a document in its language. Browsers keep Scalar's script for a year, but `scalarHash` changes
 * its address when its content changes. `demo` is the account whose tenant and API key the forms contain.
 */
export function renderPage(
  document: OpenApiDocument,
  language: Language,
  scalarHash: string,
  demo: SampleAccount | undefined,
): string {
  const translate = (name: keyof typeof PAGE_TEXTS) => PAGE_TEXTS[name][language];
  const { root, suffix, linkedLanguage, linkedPage } = PATHS[language];
  const configuration = JSON.stringify(buildConfiguration(document, language, demo));
  // A text with `</script>` would end the script element that contains the configuration, so that every `<` is escaped.
  // The other values in the page are constants of this repository that contain no special characters of HTML.
  const json = configuration.replaceAll('<', String.raw`\u003c`);
  return `<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="referrer" content="no-referrer" />
    <title>${document.info.title}: ${translate('reference')}</title>
    <link rel="icon" href="${root}icon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="${root}reference.css" />
    <script src="${root}reference.js" defer></script>
    <script src="${root}scalar.js?${scalarHash}" defer></script>
  </head>
  <body>
    <nav>
      <a href="${linkedPage}" lang="${linkedLanguage}">${translate('languageLink')}</a>
      <a href="${root}guide${suffix}.md">${translate('guide')}</a>
      <a href="${root}openapi${suffix}.json">OpenAPI</a>
    </nav>
    <noscript><p>${translate('noScript')}</p></noscript>
    <div id="reference"></div>
    <script type="application/json" id="configuration">${json}</script>
  </body>
</html>
`;
}

/** Builds the configuration of Scalar. It disables everything that would send a request to another host. */
function buildConfiguration(document: OpenApiDocument, language: Language, demo: SampleAccount | undefined) {
  return {
    content: moveTenantToCredentials(document, PAGE_TEXTS.token[language]),
    localization: { locale: language },
    // reference.js translates with these entries the texts that Scalar has only in English.
    translations: language === 'es' ? scalarTexts : {},
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    withDefaultFonts: false,
    proxyUrl: '',
    showDeveloperTools: 'never',
    hideClientButton: true,
    documentDownloadType: 'none',
    orderSchemaPropertiesBy: 'preserve',
    authentication: demo && {
      securitySchemes: { tenant: { value: demo.tenant }, apiKey: { value: demo.apiKey } },
    },
  };
}

/**
 * Moves the header `tenant` from the parameters of each operation to the credentials. Scalar has one form for all
 * credentials, so that a reader enters the tenant only once. `tokenText` is the description of the token in this form.
 */
function moveTenantToCredentials(document: OpenApiDocument, tokenText: string): object {
  const { components } = document;
  const { token, apiKey } = components.securitySchemes;
  const { name, in: location, description } = components.parameters.Tenant;
  const securitySchemes = {
    tenant: { type: 'apiKey', in: location, name, description },
    apiKey,
    token: { ...token, description: tokenText },
  };
  const paths: Record<string, Record<string, Operation>> = {};
  for (const [path, methods] of Object.entries(document.paths)) {
    const operations: Record<string, Operation> = {};
    for (const [method, operation] of Object.entries(methods)) operations[method] = moveTenantOfOperation(operation);
    paths[path] = operations;
  }
  return {
    ...document,
    security: [{ tenant: [], apiKey: [], token: [] }],
    paths,
    components: { ...components, securitySchemes },
  };
}

/** Moves the parameter `tenant` of an operation to its credentials. Operations of the legacy route do not have it. */
function moveTenantOfOperation(operation: Operation): Operation {
  const isTenant = (parameter: object) => '$ref' in parameter && parameter.$ref === '#/components/parameters/Tenant';
  const parameters = operation.parameters.filter((parameter) => !isTenant(parameter));
  if (parameters.length === operation.parameters.length) return operation;
  // The login has no other credentials. Every other operation has one entry, with the API key and the token.
  const [otherCredentials] = operation.security;
  return { ...operation, parameters, security: [{ tenant: [], ...otherCredentials }] };
}
