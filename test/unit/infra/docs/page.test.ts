import { describe, expect, it } from 'vitest';
import { operationsOf } from '../../../../infra/docs/openapi.ts';
import { siteFiles } from '../../../../infra/docs/site-files.ts';
import { pageTexts, scriptTexts } from '../../../../infra/docs/texts.ts';
import { demoAccount } from '../../../../infra/demo-account.ts';
import { readDocument } from '../../../../infra/openapi/read-document.ts';
import { ERROR_ENVELOPES } from '../../../../lib/contracts/envelopes.ts';
import { STATE_CODES } from '../../../../lib/domain/invoice-states.ts';

const options = { sampleUrl: 'https://portal.example', settings: { baseUrl: '', demo: undefined } };
const files = siteFiles(options);
const pages = { en: files['index.html']!(), es: files['es/index.html']!() } as const;

describe.each(['en', 'es'] as const)('the page in %s', (language) => {
  const text = pages[language];
  const operations = operationsOf(readDocument(language));
  const ids = [...text.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id);

  it('has each id once, and every link within it leads somewhere', () => {
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    const links = [...text.matchAll(/href="#([^"]*)"/g)].map(([, id = '']) => id);
    expect(links.length).toBeGreaterThan(100);
    expect(links.filter((id) => !ids.includes(id))).toEqual([]);
  });

  it('shows all fields that each operation takes, by their names, and offers the values of one that has few', () => {
    const ofBodies = operations.flatMap(({ operationId, requestBody }) =>
      Object.keys(requestBody?.content['application/json'].schema.properties ?? {}).map(
        (field) => `${operationId}-body.${field}`,
      ),
    );
    const others = ['list-invoices-answer.data.tolerance.mode', 'declare-batch-answer.data.results.2.error.code'];
    const ofHeader = 'get-invoice-parameters.X-API-Key';
    expect(ids).toEqual(expect.arrayContaining([...ofBodies, ...others, ofHeader]));
    const states = STATE_CODES.map((state) => `<option>${state}</option>`).join('');
    expect(text).toMatch(new RegExp(`<select name="status" data-in="query">\\s*<option></option>${states}`));
  });

  it('says that an error may have any code, and that it need not have details', () => {
    const form = /id="error-form"[^]*?id="answer-headers"/.exec(text)?.[0] ?? '';
    const fieldOf = (name: string) =>
      new RegExp(`id="error.error.${name}" data-find([^]*?)( data-find|$)`).exec(form)?.[1] ?? '';
    for (const code of Object.keys(ERROR_ENVELOPES)) expect(fieldOf('code')).toContain(`<code>${code}</code>`);
    expect(fieldOf('details')).not.toContain('class="required"');
    expect(fieldOf('message')).toContain('class="required"');
  });

  it('has four samples for each operation, each with the address', () => {
    const samples = text.match(/<figure class="sample"[^]*?<\/figure>/g) ?? [];
    expect(samples).toHaveLength(4 * operations.length);
    expect(samples.filter((sample) => !sample.includes('https://portal.example'))).toEqual([]);
  });

  it('holds no script but data, no style of its own, no form without a field, and is open but for the contents', () => {
    expect(text.match(/<script(?![^>]* (src=|type="application\/json"))/g)).toBeNull();
    expect(text).not.toMatch(/<style| style=| on\w+=/);
    expect(text).not.toMatch(/<p><b>[^<]*<\/b><\/p>\s*<\/li>/);
    expect(text.match(/<details(?![^>]* open)[^>]*>/g)).toEqual(['<details id="contents">']);
  });
});

describe('the texts of the page', () => {
  it('reach the script in its language alone', () => {
    for (const [language, other] of [['en', 'es'] as const, ['es', 'en'] as const]) {
      expect(pages[language]).toContain(scriptTexts.notLoggedIn[language]);
      expect(pages[language]).not.toContain(scriptTexts.notLoggedIn[other]);
    }
  });
});

it('the page says to replace the values of the samples, but where the service has them', () => {
  const withDemo = siteFiles({ ...options, settings: { baseUrl: '', demo: demoAccount } })['index.html']!();
  expect([pages.en, withDemo].map((page) => page.includes(pageTexts.ownValues.en))).toEqual([true, false]);
});

it('data of a page cannot end its script', () => {
  const evil = { ...options, settings: { baseUrl: '</script><b>', demo: undefined } };
  expect(siteFiles(evil)['index.html']!()).not.toContain('</script><b>');
});
