/** The formats of the schemas, under the names by which the validators look them up. */
export { isIsoDate as iso8601 } from '../domain/iso-date.ts';

/** A UUID of any version. */
export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
