import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { contracts } from '../../lib/contracts/contracts.ts';
import { invoiceDetailData } from '../../lib/contracts/fields.ts';
import { STATUS_OF } from '../../lib/contracts/statuses.ts';
import { rules } from '../rules/rules.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const rows = Object.entries(rules).flatMap(([section, table]) =>
  Object.entries(table).map(([row, [quotation, ...proofs]]) => ({ id: `${section}/${row}`, quotation, proofs })),
);

/** The tests that a run would run, as `<file> > <full name>`; a skipped one is not among them. */
async function listTests(): Promise<Set<string>> {
  const command = [
    'node_modules/vitest/vitest.mjs',
    'list',
    '--config',
    'test/vitest.config.ts',
    '--static-parse',
    '--json',
  ];
  const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: root, maxBuffer: 2 ** 26 });
  const tests = JSON.parse(stdout) as { file: string; name: string }[];
  return new Set(tests.map(({ file, name }) => `${file.slice(root.length)} > ${name}`));
}

describe('the table of rules', () => {
  let tests: Set<string>;
  beforeAll(async () => {
    tests = await listTests();
  });

  it('has a quotation and at least one test for each rule', () => {
    const incomplete = rows.filter(({ quotation, proofs }) => quotation.trim() === '' || proofs.length === 0);
    expect(incomplete.map(({ id }) => id)).toEqual([]);
  });

  it('names only tests that exist and are not skipped', () => {
    const missing = rows.flatMap(({ id, proofs }) =>
      proofs.filter((proof) => !tests.has(proof)).map((proof) => `${id}: ${proof}`),
    );
    expect(missing).toEqual([]);
  });

  it('has a row for each parameter of each endpoint, each field of an invoice and each error code', () => {
    const parameters = contracts.flatMap(({ name, request }) =>
      Object.keys(request['properties'] as object).map((parameter) => `Endpoints/${name}/${parameter}`),
    );
    const { concepts, tolerance, ...row } = invoiceDetailData.properties;
    const fields = [
      ...Object.keys(row).map((field) => `Resources/Invoice row/${field}`),
      ...Object.keys(concepts.items.properties).map((field) => `Resources/Concept/${field}`),
      ...Object.keys(tolerance.properties).map((field) => `Resources/Tolerance/${field}`),
    ];
    const codes = Object.keys(STATUS_OF).map((code) => `Errors/Codes/${code}`);
    expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining([...parameters, ...fields, ...codes]));
  });
});
