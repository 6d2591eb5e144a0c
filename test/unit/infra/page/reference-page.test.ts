import { describe, expect, it } from 'vitest';
import { DEMO_ACCOUNT } from '../../../../infra/openapi/sample-requests.ts';
import { PAGE_TEXTS } from '../../../../infra/openapi/page/reference-page.ts';
import { readScalarBundle } from '../../../../infra/openapi/page/scalar-bundle.ts';
import { buildSiteFiles } from '../../../../infra/openapi/page/site-files.ts';
import type { OpenApiDocument } from '../../../../infra/openapi/document.ts';
import { readDocument } from '../../../../infra/openapi/published-documents.ts';
import type { Operation } from '../../../../infra/openapi/operation-objects.ts';
import { LANGUAGES } from '../../../../lib/domain/language.ts';

interface Configuration {
  readonly apiUrl?: string;
  readonly content: OpenApiDocument & { readonly security: readonly object[] };
}

const PAGES = { en: 'index.html', es: 'es/index.html' } as const;
const scriptPattern = /<script type="application\/json" id="configuration">([^<]*)<\/script>/;

function readConfiguration(html: string): Configuration {
  return JSON.parse(scriptPattern.exec(html)?.[1] ?? '') as Configuration;
}

function listOperations({ paths }: OpenApiDocument): Operation[] {
  return Object.values(paths).flatMap((methods) => Object.values(methods));
}

it('readScalarBundle returns the whole script of Scalar, which creates the reference', () => {
  const bundle = readScalarBundle();
  expect(bundle.length).toBeGreaterThan(4_000_000);
  expect(bundle).toMatch(/window\.Scalar=\{createApiReference:\w+\}/);
});

describe.each(LANGUAGES)('the reference page in %s:', (language) => {
  const html = buildSiteFiles({ apiUrl: '..', demo: DEMO_ACCOUNT })[PAGES[language]]!();
  const configuration = readConfiguration(html);

  it('the configuration of the page disables everything that would send a request to another host', () => {
    expect(configuration).toMatchObject({
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
      withDefaultFonts: false,
      proxyUrl: '',
      showDeveloperTools: 'never',
      hideClientButton: true,
    });
    expect(html).not.toMatch(/(?:src|href)="(?:\w+:)?\/\//);
    expect(html.match(/<script(?! src| type="application\/json")/g)).toBeNull();
  });

  it('the page and the document are in this language, and the tenant is a credential of all operations', () => {
    expect(configuration).toMatchObject({ localization: { locale: language } });
    const { content } = configuration;
    const current = listOperations(readDocument(language)).filter(({ operationId }) => !operationId.startsWith('WS'));
    const shown = listOperations(content);
    for (const { operationId, security } of current) {
      const operation = shown.find((one) => one.operationId === operationId)!;
      expect(operation.security).toEqual([{ tenant: [], ...security[0] }]);
      expect(JSON.stringify(operation.parameters)).not.toContain('/Tenant');
    }
    expect(content.security).toEqual([{ tenant: [], apiKey: [], token: [] }]);
    expect(content.components.securitySchemes).toMatchObject({
      tenant: { type: 'apiKey', in: 'header', name: 'tenant', description: expect.any(String) },
      token: { description: PAGE_TEXTS.token[language] },
    });
  });

  it('the operations of the legacy route are unchanged', () => {
    const listLegacyOperations = (document: OpenApiDocument) =>
      listOperations(document).filter(({ operationId }) => operationId.startsWith('WS'));
    const expected = listLegacyOperations(JSON.parse(JSON.stringify(readDocument(language))) as OpenApiDocument);
    expect(expected).toHaveLength(5);
    expect(listLegacyOperations(configuration.content)).toEqual(expected);
  });
});

describe('the files of the reference page:', () => {
  it('both pages use the same address of the API, whether it is absolute or relative', () => {
    const resolve = (apiUrl: string, name: string) =>
      new URL(readConfiguration(buildSiteFiles({ apiUrl })[name]!()).apiUrl!, `https://a.example/live/docs/${name}`)
        .href;
    for (const name of Object.values(PAGES)) {
      expect(resolve('..', name)).toBe('https://a.example/live/');
      expect(resolve('/', name)).toBe('https://a.example/');
      expect(resolve('https://api.example/x', name)).toBe('https://api.example/x');
    }
  });

  it('the form contains the tenant and the API key of the demo account only if it exists', () => {
    const schemes = { tenant: { value: DEMO_ACCOUNT.tenant }, apiKey: { value: DEMO_ACCOUNT.apiKey } };
    const withDemo = readConfiguration(buildSiteFiles({ demo: DEMO_ACCOUNT })['index.html']!());
    expect(withDemo).toMatchObject({ authentication: { securitySchemes: schemes } });
    expect(readConfiguration(buildSiteFiles({})['index.html']!())).not.toHaveProperty('authentication');
  });

  it('the files contain the password of the demo account only if it exists', () => {
    const readContents = (files: ReturnType<typeof buildSiteFiles>) => Object.values(files).map((make) => make());
    const hasPassword = (text: string) => text.includes(DEMO_ACCOUNT.password);
    expect(readContents(buildSiteFiles({})).some(hasPassword)).toBe(false);
    expect(readContents(buildSiteFiles({ demo: DEMO_ACCOUNT })).filter(hasPassword)).toHaveLength(7);
  });
});
