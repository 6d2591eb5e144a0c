import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { fillLimits, readGuidesWithLimits, removeMarks } from '../../../infra/openapi/published-documents.ts';
import { LIMITS } from '../../../lib/domain/limits.ts';

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
  const guides = readGuidesWithLimits();
  expect(guides.length).toBeGreaterThan(5);
  for (const { file, text } of guides) expect(readFileSync(file, 'utf8'), file.pathname).toBe(text);
});
