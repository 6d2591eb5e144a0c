const NOT_SHOWN = 'the interface says: not shown';
const NO_LEGACY_NAMES =
  'the names of that protocol are not known to us, until recorded calls are replayed (lib/legacy/README.md)';
const OTHER_AREA = 'another resource area';

/** Requirements of the interface that this service does not implement, or that the interface leaves open, with reasons. */
export const outOfScope: Readonly<Record<string, string>> = {
  'service/rule-5': `Fleet devices, drivers, tasks, reports, workflows, kanban, accounts, clients, telemetry: ${OTHER_AREA}`,
  'envelope/data-array': 'Listing endpoints return an array: the only one of this service is the exception, an object',
  'declaration-record/fields': `Fields of a declaration beyond those that declare returns: ${NOT_SHOWN}`,
  'states/transitions': `Transitions: ${NOT_SHOWN}; the table of lib/domain/invoice-states.ts decides them`,
  'states/names': `Display names but for ENV: ${NOT_SHOWN}; the table of lib/domain/invoice-states.ts decides them`,
  'states/ids': `Meaning of the state_id values: ${NOT_SHOWN}; the table of lib/domain/invoice-states.ts decides it`,
  'states/following': `Which state follows a declaration: ${NOT_SHOWN}; lib/domain/invoice-states.ts decides it`,
  'common/content-type-put': 'Content-Type application/json on PUT: this service has no such endpoint',
  'service/rule-4/structures': `The legacy route keeps the legacy request and response structures: ${NO_LEGACY_NAMES}`,
  'legacy-dispatch/format': `Request structure, field names and response format of the legacy protocol: ${NO_LEGACY_NAMES}`,
  'legacy-dispatch/migration': `A migrating client changes only the host and the base route: ${NO_LEGACY_NAMES}`,
  'versioning/legacy-migration': `The payloads of a legacy integration stay as they are: ${NO_LEGACY_NAMES}`,
  'legacy-dispatch/operations': `Names and bodies of the legacy operations: ${NOT_SHOWN}; lib/legacy/protocol.ts decides them`,
  'tolerance-outcome/computation': `The rule behind the outcome: ${NOT_SHOWN}; test/unit/domain/tolerance.test.ts holds what was decided`,
  'events/all': `Events, notifications, callbacks and webhooks: ${NOT_SHOWN}`,
  'headers/tenant-default':
    'A platform default of the tenant: which tenant a company is given is a matter of its directory',
  'codes/FORBIDDEN/foreign-scope': "A resource out of the user's reach: an invoice of another supplier is NOT_FOUND",
  'errors/rule-1/lists': `Ids in comma-separated lists and paired tuples: parameters of ${OTHER_AREA}`,
  'errors/resultado': `Shape of the legacy Resultado beyond its Mensaje: ${NOT_SHOWN}; lib/legacy/resultado.ts decides it`,
  'limits/other-groups': `Fleet, reports, accounts, clients, workflow and kanban: ${OTHER_AREA}`,
  'limits/telemetry': `The token bucket of telemetry: ${OTHER_AREA}`,
  'limits/report-offset': `The offset of reports, rounded down: ${OTHER_AREA}`,
  'versioning/sort_by': `An unrecognized sort_by on a report: ${OTHER_AREA}`,
  'versioning/policy': `Version headers, deprecation and future versions: ${NOT_SHOWN}`,
};
