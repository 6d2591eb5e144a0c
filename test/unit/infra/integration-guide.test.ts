import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readGuideWithoutTitle } from '../../../infra/openapi/published-documents.ts';
import { declarationRequest } from '../../../lib/contracts/declare-invoice.ts';
import { declareBatchContract } from '../../../lib/contracts/declare-batch.ts';
import { listInvoicesContract } from '../../../lib/contracts/list-invoices.ts';
import { loginContract } from '../../../lib/contracts/login.ts';
import { ALL_ERROR_CODES, ERROR_CODES } from '../../../lib/domain/errors.ts';
import { INVOICE_STATES, isDeclarable, STATE_CODES } from '../../../lib/domain/invoice-states.ts';
import { LANGUAGES } from '../../../lib/domain/language.ts';
import { TOLERANCE_MODES, TOLERANCE_SOURCES } from '../../../lib/domain/tolerance.ts';
import { ACCOUNT_POLICY, LOGIN_POLICY, PORTAL_POLICIES } from '../../../lib/access/policies.ts';

const guide = readGuideWithoutTitle('en');

/** Returns the cells of the table row that begins with this text. */
function readRow(first: string): string[] {
  const row = guide.split('\n').find((line) => line.startsWith(`| ${first} `)) ?? '';
  return row.split('|').map((cell) => cell.trim());
}

describe('the integration guide', () => {
  it('the guide describes the status, the cause and the remedy of every error code, and no other code', () => {
    const items = guide.matchAll(/^- \*\*`([A-Z_]+)`\*\* \((\d+)\)\n  - Cause: \w[^]+?\n  - Do: \w/gm);
    expect(Object.fromEntries([...items].map(([, code, status]) => [code, Number(status)]))).toEqual(
      Object.fromEntries(Object.entries(ERROR_CODES).map(([code, { status }]) => [code, status])),
    );
    expect(guide.match(/^- \*\*`[A-Z_]+`/gm)).toHaveLength(ALL_ERROR_CODES.length);
  });

  it('the guide contains the limits of the service', () => {
    const { read, write } = PORTAL_POLICIES;
    const account = ACCOUNT_POLICY;
    const { amount, tax_pct: tax, invoice_number: number, notes } = declarationRequest.properties;
    const { limit, search } = listInvoicesContract.request.properties;
    const { maxItems } = declareBatchContract.request.properties.declarations;
    const limits = {
      'list, detail, validate': `${read.limit} requests in any ${read.windowMs / 1000} seconds`,
      'declare, declare-batch': `${write.limit} requests in any ${write.windowMs / 1000} seconds`,
      'login, each IP address': `${LOGIN_POLICY.limit} failures in ${LOGIN_POLICY.windowMs / 1000} seconds; then locked out for ${LOGIN_POLICY.lockoutMs / 1000} seconds`,
      'login, each account': `${account.failuresPerSource} failures from an IP address, or ${account.failuresPerWindow} in total, in ${account.windowMs / 3_600_000} hours`,
      'list: range, `limit`, `search`': `93 days; ${limit.minimum} to ${limit.maximum}, default ${limit.default}; ${search.maxLength} characters`,
      batch: `1 to ${maxItems} declarations`,
      '`amount`, `tax_pct`': `${amount.minimum} to ${amount.maximum}; ${tax.minimum} to ${tax.maximum}`,
      '`invoice_number`, `notes`, `playerid`': `${number.maxLength}, ${notes.maxLength}, ${loginContract.request.properties.playerid.maxLength} characters`,
    };
    for (const [what, text] of Object.entries(limits)) expect(readRow(what)[2]).toContain(text);
  });

  it.each(LANGUAGES)('the guide in %s lists each state with name, id and whether it can be declared', (language) => {
    const rows = [...readGuideWithoutTitle(language).matchAll(/^\| `([A-Z]{3})` .*$/gm)].map(([row]) =>
      row.split('|').map((cell) => cell.trim()),
    );
    const yesNo = { en: ['no', 'yes'], es: ['no', 'sí'] }[language];
    const states = STATE_CODES.map((code) => {
      const { name, id } = INVOICE_STATES[code];
      const declarable = yesNo[Number(isDeclarable(code))];
      return ['', `\`${code}\``, name, `${id}`, expect.any(String), declarable, ''];
    });
    expect(rows).toEqual(states);
  });

  it('the guide explains every mode and every source of a tolerance', () => {
    const glossary = guide.split('## Glossary')[1];
    for (const mode of TOLERANCE_MODES) expect(glossary).toContain(`**${mode}**`);
    for (const source of TOLERANCE_SOURCES) expect(glossary).toContain(`\`${source}\`:`);
  });

  it('the changes in the guide begin with the version of package.json', () => {
    const file = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
    const { version } = JSON.parse(file) as { version: string };
    const [, newest] = /^## Changes\n.+?\n### (.+?), \d{4}-\d\d-\d\d\n/ms.exec(guide) ?? [];
    expect(newest).toBe(version);
  });
});
