import { authentication } from './authentication.ts';
import { endpoints } from './endpoints.ts';
import { errors } from './errors.ts';
import { limits } from './limits.ts';
import { resources } from './resources.ts';
import { service } from './service.ts';
import { states } from './states.ts';
import { versioning } from './versioning.ts';

/** Every rule of the interface, line by line, with its id; what is not this service's to keep is in out-of-scope.ts. */
export const rules: readonly (readonly [id: string, rule: string])[] = [
  service,
  resources,
  states,
  endpoints,
  authentication,
  errors,
  limits,
  versioning,
].flatMap((section) => Object.entries(section));
