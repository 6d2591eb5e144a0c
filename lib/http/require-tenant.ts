import { ServiceError } from '../domain/errors.ts';
import { headerOf } from './headers.ts';
import type { PortalMiddleware } from './request-state.ts';

const DOMAIN = /^[a-z0-9.-]{1,253}$/;

/** Requires the tenant header to name a domain; its case does not matter. Whether there is such a tenant is not asked here. */
export function requireTenant(): PortalMiddleware {
  return {
    before({ event }) {
      const tenant = headerOf(event, 'tenant')?.toLowerCase();
      if (!tenant) throw new ServiceError('UNAUTHORIZED', 'The tenant header is required.');
      if (!DOMAIN.test(tenant)) throw new ServiceError('UNAUTHORIZED', 'The tenant is not valid.');
      event.state.tenant = tenant;
    },
  };
}
