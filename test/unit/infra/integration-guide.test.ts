import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  fillLimits,
  fillLimitsInGuides,
  readGuideWithoutTitle,
  removeMarks,
} from '../../../infra/openapi/published-documents.ts';
import { ALL_ERROR_CODES, ERROR_CODES } from '../../../lib/domain/errors.ts';
import { INVOICE_STATES, isDeclarable, STATE_CODES } from '../../../lib/domain/invoice-states.ts';
import { LANGUAGES } from '../../../lib/domain/language.ts';
import { LIMITS } from '../../../lib/domain/limits.ts';
import { TOLERANCE_MODES, TOLERANCE_SOURCES } from '../../../lib/domain/tolerance.ts';

const guide = readGuideWithoutTitle('en');

describe('the integration guide', () => {
  it('the guide describes the status, the cause and the remedy of every error code, and no other code', () => {
    const items = guide.matchAll(/^- \*\*`([A-Z_]+)`\*\* \((\d+)\)\n  - Cause: \w[^]+?\n  - Do: \w/gm);
    expect(Object.fromEntries([...items].map(([, code, status]) => [code, Number(status)]))).toEqual(
      Object.fromEntries(Object.entries(ERROR_CODES).map(([code, { status }]) => [code, status])),
    );
    expect(guide.match(/^- \*\*`[A-Z_]+`/gm)).toHaveLength(ALL_ERROR_CODES.length);
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

describe('the limits in guides', () => {
  it('fillLimits replaces the marked numbers of texts and programs, and no others', () => {
    const old =
      'at most <!--rangeDays-->1 days, 2 times\nPAGE = 3  # limit: pageMax\nconst BATCH = 4; // limit: batchItems';
    const filled = fillLimits(old);
    expect(removeMarks(filled)).toBe(
      `at most ${LIMITS.rangeDays} days, 2 times\nPAGE = ${LIMITS.pageMax}  # limit: pageMax\n` +
        `const BATCH = ${LIMITS.batchItems}; // limit: batchItems`,
    );
    expect(fillLimits(filled)).toBe(filled);
  });

  it('fillLimits throws an error for a mark with an unknown limit', () => {
    expect(() => fillLimits('<!--rangeDay-->93 days')).toThrow('No limit has the name rangeDay.');
  });

  it('the guides of the repository have the current limits', () => {
    const guides = fillLimitsInGuides();
    expect(guides.length).toBeGreaterThan(5);
    for (const { file, text } of guides) expect(readFileSync(file, 'utf8'), file.pathname).toBe(text);
  });
});
