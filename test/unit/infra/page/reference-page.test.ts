import { describe, expect, it } from 'vitest';
import { DEMO_ACCOUNT } from '../../../../infra/openapi/sample-requests.ts';
import { buildSiteFiles } from '../../../../infra/openapi/page/site-files.ts';
import { buildOpenApiDocument, type OpenApiDocument } from '../../../../infra/openapi/document.ts';
import type { Operation } from '../../../../infra/openapi/operation-objects.ts';
import { LANGUAGES } from '../../../../lib/domain/language.ts';

interface Configuration {
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

describe.each(LANGUAGES)('the reference page in %s:', (language) => {
  const html = buildSiteFiles(DEMO_ACCOUNT)[PAGES[language]]!();
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

  it('the page is in this language, and the tenant is a credential of all operations', () => {
    expect(configuration).toMatchObject({ localization: { locale: language } });
    const { content } = configuration;
    const current = listOperations(buildOpenApiDocument(language)).filter(
      ({ operationId }) => !operationId.startsWith('WS'),
    );
    for (const { operationId, security } of current) {
      const operation = listOperations(content).find((one) => one.operationId === operationId)!;
      expect(operation.security).toEqual([{ tenant: [], ...security[0] }]);
      expect(JSON.stringify(operation.parameters)).not.toContain('/Tenant');
    }
    expect(content.security).toEqual([{ tenant: [], apiKey: [], token: [] }]);
  });

  it('the page has only relative links, and sends no referrer', () => {
    expect(html).not.toMatch(/(?:src|href)="\//);
    // The address contains a hash of the script.
    expect(html).toMatch(/ src="[./]*scalar\.js\?\w{16}"/);
    expect(html).toContain('<meta name="referrer" content="no-referrer" />');
  });
});

describe('the files of the reference page:', () => {
  it('the form contains the tenant and the API key of the demo account only if it exists', () => {
    const schemes = { tenant: { value: DEMO_ACCOUNT.tenant }, apiKey: { value: DEMO_ACCOUNT.apiKey } };
    const withDemo = readConfiguration(buildSiteFiles(DEMO_ACCOUNT)['index.html']!());
    expect(withDemo).toMatchObject({ authentication: { securitySchemes: schemes } });
    expect(readConfiguration(buildSiteFiles()['index.html']!())).not.toHaveProperty('authentication');
  });

  it('the files contain the password of the demo account only if it exists', () => {
    const readContents = (files: ReturnType<typeof buildSiteFiles>) => Object.values(files).map((make) => make());
    const hasPassword = (text: string) => text.includes(DEMO_ACCOUNT.password);
    expect(readContents(buildSiteFiles()).some(hasPassword)).toBe(false);
    expect(readContents(buildSiteFiles(DEMO_ACCOUNT)).filter(hasPassword)).toHaveLength(12);
  });
});
