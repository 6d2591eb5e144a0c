import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { operationsOf } from '../../../../infra/docs/openapi.ts';
import { siteFiles } from '../../../../infra/docs/site-files.ts';
import { operationNames, pageTexts, scriptTexts } from '../../../../infra/docs/texts.ts';
import { demoAccount } from '../../../../infra/demo-account.ts';
import { readDocument } from '../../../../infra/openapi/read-document.ts';
import { ERROR_ENVELOPES } from '../../../../lib/contracts/envelopes.ts';
import { STATE_CODES } from '../../../../lib/domain/invoice-states.ts';

const renderers = new URL('../../../../infra/docs/render/', import.meta.url);
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

  it('shows all fields that each operation takes, by their names', () => {
    const ofBodies = operations.flatMap(({ operationId, requestBody }) =>
      Object.keys(requestBody?.content['application/json'].schema.properties ?? {}).map(
        (field) => `${operationId}-body.${field}`,
      ),
    );
    const ofLists = ['list-invoices-answer.data.rows.state_code', 'list-invoices-parameters.startdate'];
    const ofBatch = ['declare-batch-body.declarations.invoice_id', 'declare-batch-answer.data.results.2.error.code'];
    expect(ids).toEqual(
      expect.arrayContaining([...ofBodies, ...ofLists, ...ofBatch, 'get-invoice-parameters.X-API-Key']),
    );
  });

  it.each([
    ['list-invoices-answer.data.tolerance.mode', ['PCT', 'ABS', 'AMB']],
    ['WSListarFacturas-body.Estado', STATE_CODES],
  ])('shows what a field may be that may also be null: %s', (id, values) => {
    const entry = text.split(` id="${id}"`)[1]?.split('</li>')[0] ?? '';
    const { or, oneOfValues } = pageTexts;
    const listed = values.map((value) => `<code>${value}</code>`).join(', ');
    expect(entry).toContain(`<small>string ${or[language]} null `);
    expect(entry).toContain(`${oneOfValues[language]} ${listed}`);
  });

  it('offers the values of a parameter that has few', () => {
    const states = STATE_CODES.map((state) => `<option>${state}</option>`).join('');
    expect(text).toMatch(new RegExp(`<select name="status" data-in="query">\\s*<option></option>${states}`));
  });

  it('has every error code and every state', () => {
    for (const code of Object.keys(ERROR_ENVELOPES)) expect(text).toContain(`id="error-${code}"`);
    for (const state of STATE_CODES) expect(text).toContain(`<td><code>${state}</code></td>`);
  });

  it('says that an error may have any code, and that it need not have details', () => {
    const form = /id="error-form"[^]*?id="answer-headers"/.exec(text)?.[0] ?? '';
    expect(form).toMatch(/id="error.success"[^]*id="error.error"/);
    const fieldOf = (name: string) =>
      new RegExp(`id="error.error.${name}" data-find([^]*?)( data-find|$)`).exec(form)?.[1] ?? '';
    for (const code of Object.keys(ERROR_ENVELOPES)) expect(fieldOf('code')).toContain(`<code>${code}</code>`);
    expect(fieldOf('details')).not.toContain('class="required"');
    expect(fieldOf('details')).toContain({ en: 'not empty', es: 'no vacío' }[language]);
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
  it('name every operation of the current interface in few words', () => {
    const current = operationsOf(readDocument('en')).filter(({ path }) => path.startsWith('/apidev/v1'));
    expect(Object.keys(operationNames).toSorted()).toEqual(current.map(({ operationId }) => operationId).toSorted());
    for (const { en, es } of Object.values(operationNames)) expect(Math.max(en.length, es.length)).toBeLessThan(25);
  });

  it('are not the same in both languages, but for few names', () => {
    const tables = [...Object.entries(pageTexts), ...Object.entries(scriptTexts)];
    const same = tables.filter(([, { en, es }]) => en === es).map(([name]) => name);
    expect(same).toEqual(['tenant', 'token', 'inTenant']);
  });

  it('are each used by the page or its script', () => {
    const unused = (texts: object, used: (name: string) => boolean) => Object.keys(texts).filter((name) => !used(name));
    const script = files['page.js']!();
    const sources = readdirSync(renderers).map((name) => readFileSync(new URL(name, renderers), 'utf8'));
    expect(unused(pageTexts, (name) => new RegExp(`\\b${name}\\b`).test(sources.join('\n')))).toEqual([]);
    expect(unused(scriptTexts, (name) => script.includes(`"${name}"`))).toEqual([]);
  });

  it('reach the script in its language alone', () => {
    expect(pages.en).toContain(scriptTexts.notLoggedIn.en);
    expect(pages.en).not.toContain(scriptTexts.notLoggedIn.es);
    expect(pages.es).not.toContain(scriptTexts.notLoggedIn.en);
  });
});

it('the page says to replace the values of the samples, but where the service has them', () => {
  const withDemo = siteFiles({ ...options, settings: { baseUrl: '', demo: demoAccount } })['index.html']!();
  expect(pages.en).toContain(pageTexts.ownValues.en);
  expect(withDemo).not.toContain(pageTexts.ownValues.en);
});

it('data of a page cannot end its script', () => {
  const evil = { ...options, settings: { baseUrl: '</script><b>', demo: undefined } };
  expect(siteFiles(evil)['index.html']!()).not.toContain('</script><b>');
});
