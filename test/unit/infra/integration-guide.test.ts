import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { buildEventsDocument, buildOpenApiDocument } from '../../../infra/openapi/document.ts';
import { readGuideWithoutTitle } from '../../../infra/openapi/published-documents.ts';
import { ALL_ERROR_CODES, ERROR_CODES } from '../../../lib/domain/errors.ts';
import { LANGUAGES } from '../../../lib/domain/language.ts';
import { LIMITS } from '../../../lib/domain/limits.ts';
import { readBlock } from '../../support/guides/readme.ts';

const guide = readGuideWithoutTitle('en');

describe('the integration guide', () => {
  it('the guide describes the status, the cause and the remedy of every error code, and no other code', () => {
    const items = guide.matchAll(/^### `([A-Z_]+)`\n\n- Status: (\d+)\n- Cause: \w[^]+?\n- Do: \w/gm);
    expect(Object.fromEntries([...items].map(([, code, status]) => [code, Number(status)]))).toEqual(
      Object.fromEntries(Object.entries(ERROR_CODES).map(([code, { status }]) => [code, status])),
    );
    expect(guide.match(/^### `[A-Z_]+`$/gm)).toHaveLength(ALL_ERROR_CODES.length);
  });

  it('the changes in the guide begin with the version of package.json', () => {
    const file = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
    const { version } = JSON.parse(file) as { version: string };
    const [, newest] = /^## Changes\n.+?\n### (.+?), \d{4}-\d\d-\d\d\n/ms.exec(guide) ?? [];
    expect(newest).toBe(version);
  });
});

it.each(LANGUAGES)('the tables of limits in the guide (%s) contain the current limits', (language) => {
  const { reads, writes, windowSeconds, rangeDays, pageMax, pageDefault, searchLength, batchItems } = LIMITS;
  const { loginFailures, loginWindowSeconds, loginLockoutSeconds, accountFailures, amountMax, taxPctMax } = LIMITS;
  const rows = readGuideWithoutTitle(language).match(/^\|.*\d.*$/gm) ?? [];
  const numbers = rows.map((row) => (row.replaceAll(/`[^`]*`/g, '').match(/\d[\d.]*/g) ?? []).map(Number));
  for (const limits of [
    [reads, windowSeconds],
    [writes, windowSeconds],
    [rangeDays, 1, pageMax, pageDefault, searchLength],
    [1, batchItems],
    [LIMITS.bodyBytes / 1024 ** 2, LIMITS.loginBodyBytes / 1024, LIMITS.bodyValues],
    [0, Number(amountMax), 0, taxPctMax],
    [LIMITS.invoiceNumberLength, LIMITS.notesLength, LIMITS.playerIdLength],
    [loginFailures, loginWindowSeconds, loginLockoutSeconds],
    [LIMITS.accountFailuresPerSource],
    [accountFailures],
  ]) {
    expect(numbers).toContainEqual(limits);
  }
});

it('the event in the guide of events is valid according to its schema', () => {
  const isValid = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(buildEventsDocument());
  isValid(JSON.parse(readBlock('infra/openapi/events.md', "Events for the company's systems", 'json')));
  expect(isValid.errors).toBeNull();
});

it.each(LANGUAGES)('the guide (%s) names every status that a client retries', (language) => {
  const [, section = ''] = /^## (?:Retries|Reintentos)\n([^]+?)^## /m.exec(readGuideWithoutTitle(language)) ?? [];
  expect(section.match(/\b[45]\d\d\b/g)).toEqual(['429', '500', '502', '503', '504', '401']);
});

it.each(LANGUAGES)('the OpenAPI document (%s) has examples of the parameters status, search and tenant', (language) => {
  const { paths, components } = buildOpenApiDocument(language);
  const { parameters } = paths['/apidev/v1/supplier-portal/invoices']!['get']!;
  for (const example of ['PEN', 'La Pampa']) expect(parameters).toContainEqual(expect.objectContaining({ example }));
  expect(components.parameters.Tenant).toHaveProperty('example', 'demo.example');
});
