import { pageMeta } from '../../lib/contracts/envelopes.ts';
import { legacyDispatchContract, legacyError, legacySuccess } from '../../lib/contracts/legacy-dispatch.ts';
import { STATUS_OF } from '../../lib/contracts/statuses.ts';
import type { ErrorCode } from '../../lib/domain/errors.ts';
import { ANSWER_NAMES, type FieldNames, type LegacyNames } from '../../lib/legacy/protocol.ts';
import { accessText } from './current-operation.ts';
import { json, type Operation, PARAMETERS, type Schema } from './operation.ts';
import { responsesOf } from './responses.ts';
import { errorName } from './schema-names.ts';
import type { Naming, Schemas } from './schemas.ts';

type Properties = Readonly<Record<string, Schema>>;

// What a client can mend is answered with 200, under these codes and those of the endpoint.
const MENDABLE: readonly ErrorCode[] = ['VALIDATION_ERROR', 'UNAUTHORIZED', 'FORBIDDEN', 'COMPANY_SUSPENDED'];
const OTHERS: readonly ErrorCode[] = ['RATE_LIMITED', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'];

/** An operation of the legacy protocol: the endpoint that it stands for, in its own names. */
export function legacyOperation(name: string, { contract, request }: LegacyNames, schemas: Schemas): Operation {
  const body = schemas.define(`${name}Request`, () =>
    withFields(schemas.refer({ ...contract.request }, naming(currentToLegacy(request))), {
      WSAutorizacion: schemas.refer(legacyDispatchContract.request.properties.WSAutorizacion),
    }),
  );
  const success = schemas.define(`${name}Answer`, () => successSchema(contract, schemas));
  const errorsWith = (codes: readonly ErrorCode[], statusOf: (code: ErrorCode) => number) =>
    codes.map((code) => ({ status: statusOf(code), kind: code, schema: errorSchema(code, schemas) }));
  return {
    operationId: name,
    tags: [legacyDispatchContract.tag],
    summary: `${name}: ${contract.summary.toLowerCase()}`,
    description: `${legacyDispatchContract.description}\n\n${accessText(contract.access)}`,
    security: [],
    parameters: [
      {
        ...PARAMETERS.Tenant,
        required: false,
        description: `${PARAMETERS.Tenant.description}; if it is sent, it must be that of the key`,
      },
    ],
    requestBody: { required: true, content: json(body) },
    responses: responsesOf(
      [
        { status: 200, kind: 'Success', schema: success },
        ...errorsWith([...MENDABLE, ...contract.errors], () => 200),
        ...errorsWith(OTHERS, (code) => STATUS_OF[code]),
      ],
      schemas,
    ),
  };
}

/** The data of the endpoint, and the page of a list, beside `Resultado`. */
function successSchema({ response, paged }: LegacyNames['contract'], schemas: Schemas): Schema {
  const { properties, required } = response as { properties: Properties; required: readonly string[] };
  const page = paged && {
    properties: { ...properties, ...pageMeta.properties },
    required: [...required, ...pageMeta.required],
  };
  return withFields(schemas.refer({ ...response, ...page }, naming(ANSWER_NAMES)), {
    Resultado: schemas.define('LegacySuccess', () => legacySuccess),
  });
}

/** The schema of an error of the legacy protocol. */
function errorSchema(code: ErrorCode, schemas: Schemas): Schema {
  const { properties, ...answer } = legacyError(code);
  const name = `Legacy${errorName(code)}`;
  return schemas.define(`${name}Answer`, () => ({
    ...answer,
    properties: { Resultado: schemas.define(name, () => properties.Resultado) },
  }));
}

/** The legacy names of the fields of a request, in lists too. */
function currentToLegacy(names: FieldNames): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(names).flatMap(([legacyName, name]) =>
      typeof name === 'string'
        ? [[name, legacyName]]
        : [[name[0], legacyName], ...Object.entries(currentToLegacy(name[1]))],
    ),
  );
}

function naming(names: Readonly<Record<string, string | null>>): Naming {
  return {
    prefix: 'Legacy',
    propertyName: (name) => {
      const legacyName = names[name];
      if (legacyName === undefined) throw new Error(`The field ${name} has no legacy name.`);
      return legacyName;
    },
  };
}

function withFields({ required = [], properties, ...schema }: Schema, fields: Properties): Schema {
  return {
    ...schema,
    required: [...Object.keys(fields), ...required],
    properties: { ...fields, ...properties },
  };
}
