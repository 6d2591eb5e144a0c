import { ServiceError } from '../domain/errors.ts';
import * as texts from '../domain/texts.ts';
import { headerOf } from './headers.ts';
import { adding, type PortalMiddleware } from './middleware.ts';
import type { RequestState } from './request-state.ts';

const DOMAIN = /^[a-z0-9.-]{1,253}$/;

/** Requires the tenant header to name a domain, in any case; whether there is such a tenant is checked later. */
export function requireTenant(): PortalMiddleware<RequestState, { readonly tenant: string }> {
  return adding(({ event }) => {
    const tenant = headerOf(event, 'tenant')?.toLowerCase();
    if (!tenant) throw new ServiceError('UNAUTHORIZED', texts.tenantRequired);
    if (!DOMAIN.test(tenant)) throw new ServiceError('UNAUTHORIZED', texts.tenantInvalid);
    return { tenant };
  });
}
