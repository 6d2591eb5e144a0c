import type { Rules } from './rule.ts';
import { functions, legacy, unit } from './suites.ts';

/** Versioning; the sorting of reports is left out. */
export const versioning: Rules = {
  'path prefix': [
    'The current interface path prefix is /apidev/v1/. The compatibility surface lives under /apidev/legacy/',
    unit.endpoints('are the six of the current interface and the legacy route'),
  ],
  'legacy migration': [
    'Legacy integrations migrate by changing only the host and route. Payloads are unchanged',
    functions.legacy('needs no tenant header, and takes one that is the tenant of the Guid'),
    legacy.operations('%s has a Pascal-case name for every field of its request'),
    legacy.operations('%s has a name for every field of its answer, each once in its object'),
  ],
  'entity ids': [
    'non-digit entity ids are rejected with 400 VALIDATION_ERROR',
    functions.detail('rejects the id %j, which is not digits only'),
  ],
};
