/** The rules of what the service adds to the interface. They change no response of the interface. */
export const besideInterface = {
  'list-invoices/changed_since': 'ISO 8601, optional: only invoices whose latest change is not before this time',

  'get-history/permission': 'APICLI_PORTALPROVEEDOR_READ',
  'get-history/rate-limit': '30 requests per minute, sliding window, together with the other reads',
  'get-history/id': 'string (digits only), required: invoice identifier',
  'get-history/limit': 'integer, optional: 1 to 100, default 25',
  'get-history/offset': 'integer, optional: changes to skip, default 0',
  'get-history/response': 'data[] with all changes of the invoice, newest first, meta {total, limit, offset}',
  'get-history/values':
    'An entry contains the values of the invoice after the change, and its message, approved amount and payment',
  'get-history/private': 'No response contains internal reasons, names of operators or ids of other users',
  'get-history/not-found':
    'An invoice that is withdrawn, does not exist or belongs to another supplier is 404 NOT_FOUND',
};
