import type { SampleAccount } from '../../../lib/contracts/contract.ts';
import type { Language, Text } from '../../../lib/domain/language.ts';
import type { OpenApiDocument } from '../document.ts';
import type { Operation } from '../operation-objects.ts';
import scalarTexts from './scalar-texts.es.json' with { type: 'json' };

/** The texts of the page that are not texts of Scalar or of the OpenAPI document. */
export const PAGE_TEXTS = {
  reference: { en: 'API reference', es: 'Referencia de la API' },
  otherLanguage: { en: 'Español', es: 'English' },
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

export interface PageOptions {
  /** The path in front of `/apidev`, absolute or relative to the folder. Without it, the pages send no requests. */
  readonly apiUrl?: string | undefined;
  /** The account whose tenant and API key the forms contain. */
  readonly demo?: SampleAccount | undefined;
  /** A content security policy in the pages, for hosts that send none. */
  readonly policy?: string | undefined;
}

/** Renders the page in one language. With another hash of the script of Scalar, browsers load the script again. */
export function renderPage(
  document: OpenApiDocument,
  language: Language,
  scalarHash: string,
  { apiUrl, demo, policy }: PageOptions,
): string {
  const translate = (name: keyof typeof PAGE_TEXTS) => PAGE_TEXTS[name][language];
  const isEnglish = language === 'en';
  const root = isEnglish ? '' : '../';
  const suffix = isEnglish ? '' : '.es';
  const otherPage = isEnglish ? 'es/index.html' : '../index.html?language=en';
  const configuration = {
    ...buildConfiguration(addTenantCredential(document, translate('token')), language, demo),
    // Texts that Scalar does not translate.
    translations: isEnglish ? {} : scalarTexts,
    hideTestRequestButton: apiUrl === undefined,
    // The option is relative to the folder of the English page.
    apiUrl: apiUrl?.startsWith('..') ? root + apiUrl : apiUrl,
  };
  const policyElement = policy === undefined ? '' : `<meta http-equiv="Content-Security-Policy" content="${policy}" />`;
  // Without `<`, no text of the document can end the script element that contains the configuration.
  const json = JSON.stringify(configuration).replaceAll('<', String.raw`\u003c`);
  return `<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="referrer" content="no-referrer" />
    ${policyElement}
    <title>${document.info.title}: ${translate('reference')}</title>
    <link rel="icon" href="${root}icon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="${root}reference.css" />
    <script src="${root}reference.js" defer></script>
    <script src="${root}scalar.js?${scalarHash}" defer></script>
  </head>
  <body>
    <nav>
      <a href="${otherPage}" lang="${isEnglish ? 'es' : 'en'}">${translate('otherLanguage')}</a>
      <a href="${root}guide${suffix}.md">${translate('guide')}</a>
      <span>OpenAPI: <a href="${root}openapi${suffix}.json">JSON</a> <a href="${root}openapi.yaml">YAML</a></span>
    </nav>
    <noscript><p>${translate('noScript')}</p></noscript>
    <div id="reference"></div>
    <script type="application/json" id="configuration">${json}</script>
  </body>
</html>
`;
}

/** Builds the configuration of Scalar. It disables everything that would send a request to another host. */
function buildConfiguration(content: object, language: Language, demo: SampleAccount | undefined) {
  return {
    content,
    localization: { locale: language },
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
 * Adds the header `tenant` to the credentials of the document, so that a reader enters it once for all operations. The
 * first form of the page has a field for each credential of the document.
 */
function addTenantCredential(document: OpenApiDocument, tokenText: string): object {
  const { components } = document;
  const { token, ...otherSchemes } = components.securitySchemes;
  const { name, in: location, description } = components.parameters.Tenant;
  const securitySchemes = {
    tenant: { type: 'apiKey', in: location, name, description },
    ...otherSchemes,
    token: { ...token, description: tokenText },
  };
  const paths: Record<string, Record<string, Operation>> = {};
  for (const [path, methods] of Object.entries(document.paths)) {
    const operations = Object.entries(methods).map(([method, operation]) => [method, replaceTenantHeader(operation)]);
    paths[path] = Object.fromEntries(operations) as Record<string, Operation>;
  }
  return {
    ...document,
    security: [{ tenant: [], apiKey: [], token: [] }],
    paths,
    components: { ...components, securitySchemes },
  };
}

/** Replaces the required header `tenant` of an operation with the credential. The legacy route does not require it. */
function replaceTenantHeader(operation: Operation): Operation {
  const isTenant = (parameter: object) => '$ref' in parameter && parameter.$ref === '#/components/parameters/Tenant';
  if (!operation.parameters.some(isTenant)) return operation;
  const parameters = operation.parameters.filter((parameter) => !isTenant(parameter));
  return { ...operation, parameters, security: [{ tenant: [], ...operation.security[0] }] };
}
