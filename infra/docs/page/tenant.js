/** @import { OpenApiDocument, Operation } from './renderer.d.ts' */

const tenantReference = '#/components/parameters/Tenant';

/**
 * The document with the tenant header among the credentials: it is entered once, and not with every operation.
 * @param {OpenApiDocument} document
 * @returns {OpenApiDocument}
 */
export function withTenantAmongCredentials(document) {
  const { parameters, securitySchemes, ...components } = document.components;
  const { name, description } = parameters.Tenant;
  const tenant = { type: 'apiKey', in: 'header', name, description };
  return {
    ...document,
    paths: mapValues(document.paths, (methods) => mapValues(methods, withTenantAsCredential)),
    components: { ...components, parameters, securitySchemes: { ...securitySchemes, tenant } },
  };
}

/**
 * @param {Operation} operation
 * @returns {Operation}
 */
function withTenantAsCredential(operation) {
  const parameters = operation.parameters.filter(({ $ref }) => $ref !== tenantReference);
  if (parameters.length === operation.parameters.length) return operation;
  return { ...operation, parameters, security: [{ ...operation.security[0], tenant: [] }] };
}

/**
 * @template Value
 * @param {Readonly<Record<string, Value>>} record
 * @param {(value: Value) => Value} change
 * @returns {Record<string, Value>}
 */
function mapValues(record, change) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
