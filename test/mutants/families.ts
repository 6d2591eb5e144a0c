import { accounts, failures, ownership, permissions, tokens } from './families/access.ts';
import { declarations, fields, outcomes } from './families/amounts.ts';
import { audits } from './families/audits.ts';
import { batches, bodies, envelopes, inputs, languages, statuses } from './families/answers.ts';
import { sessions, stops, supplierCompanies } from './families/incidents.ts';
import { credentials, protocol } from './families/legacy.ts';
import { dateRanges, dayIndexes, pages } from './families/lists.ts';
import { logins, windows } from './families/rates.ts';
import { unchanged } from './families/unchanged.ts';
import type { Family } from './mutant.ts';

/** Every family of mutants, by its name. */
export const families: Readonly<Record<string, Family>> = {
  'date ranges': dateRanges,
  pages,
  'day indexes': dayIndexes,
  audits,
  outcomes,
  declarations,
  'unchanged declarations': unchanged,
  fields,
  accounts,
  stops,
  'companies of suppliers': supplierCompanies,
  'ended sessions': sessions,
  permissions,
  tokens,
  ownership,
  failures,
  envelopes,
  languages,
  statuses,
  inputs,
  bodies,
  batches,
  windows,
  logins,
  'legacy protocol': protocol,
  'legacy credentials': credentials,
};
