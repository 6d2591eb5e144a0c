import { authentication } from './authentication.ts';
import { declaring } from './declaring.ts';
import { endpoints } from './endpoints.ts';
import { errors } from './errors.ts';
import { limits } from './limits.ts';
import { resources } from './resources.ts';
import { legacyAuthentication, legacyRoute, legacySurface } from './legacy.ts';
import type { Rules } from './rule.ts';
import { service } from './service.ts';
import { states } from './states.ts';
import { versioning } from './versioning.ts';

/**
 * Every rule of the interface, by section, and the tests that prove it. Left out is what is said of things outside
 * this service: other resource areas, reports, telemetry, events, and what clients are to do.
 */
export const rules: Readonly<Record<string, Rules>> = {
  'What the service does': { ...service, ...legacySurface },
  Resources: resources,
  States: states,
  Endpoints: { ...endpoints, ...declaring, ...legacyRoute },
  Authentication: { ...authentication, ...legacyAuthentication },
  Errors: errors,
  Limits: limits,
  Versioning: versioning,
};
