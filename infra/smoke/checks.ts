import { type PortalClient, PortalError } from '../../lib/client/index.ts';

/** What the checks have seen so far. */
export interface Seen {
  /** An invoice that could be declared. */
  declarable?: string | undefined;
}

/** Something that a service has to do; it says what it saw. */
export interface Check {
  readonly name: string;
  readonly run: (portal: PortalClient, seen: Seen) => Promise<string>;
}

const DAY_MS = 86_400_000;
const RANGE_DAYS = 92;
/** An id that no invoice has. */
const NOBODYS_INVOICE = '0';

/** What a smoke test tries, in this order. Nothing is declared. */
export const checks: readonly Check[] = [
  {
    name: 'log in',
    async run(portal) {
      await portal.login();
      return 'the credentials are right';
    },
  },
  {
    name: 'list invoices',
    async run(portal, seen) {
      const now = Date.now();
      const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
      const range = { startdate: dateOf(now - RANGE_DAYS * DAY_MS), enddate: dateOf(now) };
      const { rows, total, limit, tolerance } = await portal.listInvoices({ ...range, limit: 10 });
      if (rows.length !== Math.min(total, limit)) throw new Error(`${rows.length} rows were given of ${total}.`);
      if (typeof tolerance?.source !== 'string') throw new Error('The list came without a tolerance.');
      seen.declarable = rows.find(({ state_code }) => state_code !== 'LIQ')?.invoice_id;
      return `${total} in the last ${RANGE_DAYS} days`;
    },
  },
  {
    name: 'check an amount',
    async run(portal, { declarable }) {
      if (declarable === undefined) return 'left out, for no invoice could be declared';
      const { invoice_id, action } = await portal.validateAmount({ invoice_id: declarable, amount: 1 });
      return `1.00 on ${invoice_id} would come to ${action}; nothing was written`;
    },
  },
  {
    name: 'be refused an unknown invoice',
    async run(portal) {
      const refusal = await portal.getInvoice(NOBODYS_INVOICE).catch((error: unknown) => error);
      if (!(refusal instanceof PortalError)) throw new Error('An invoice that cannot exist was found.');
      if (refusal.code !== 'NOT_FOUND') throw refusal;
      if (refusal.requestId === null) throw new Error('The answer has no X-Request-Id.');
      return 'NOT_FOUND, with a request id';
    },
  },
];
