import type { Subject } from '../directory/entry-result.ts';
import type { Entry } from './directory-entries.ts';

/** What an entry is about. */
export function subjectOf({ kind, tenant, value }: Entry): Subject {
  switch (kind) {
    case 'tenant':
      return { kind, tenant };
    case 'company':
      return { kind, tenant, company_id: value.company_id };
    case 'supplier':
      return { kind, tenant, supplier_id: value.supplier_id };
    case 'user':
      return { kind, tenant, user_id: value.user_id, email: value.email };
    case 'api_key':
      return { kind, tenant, company_id: value.company_id, name: value.name };
  }
}
