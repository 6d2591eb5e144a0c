import { authentication } from './authentication.ts';
import { endpoints } from './endpoints.ts';
import { errors } from './errors.ts';
import { limits } from './limits.ts';
import { resources } from './resources.ts';
import { service } from './service.ts';

/** Every rule of the interface, line by line, with its id; what is not this service's to keep is in out-of-scope.ts. */
export const rules: readonly (readonly [id: string, rule: string])[] = [
  service,
  resources,
  endpoints,
  authentication,
  errors,
  limits,
].flatMap((section) => Object.entries(section));
