import type { Rules } from './rule.ts';
import { functions, unit } from './suites.ts';

/** Versioning; the legacy surface and the sorting of reports are left out. */
export const versioning: Rules = {
  'path prefix': ['The current interface path prefix is /apidev/v1/', unit.endpoints('are the six of the interface')],
  'entity ids': [
    'non-digit entity ids are rejected with 400 VALIDATION_ERROR',
    functions.detail('rejects the id %j, which is not 1 to 20 digits'),
  ],
};
