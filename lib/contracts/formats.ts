/** The format `iso8601` of the schemas, under the name by which the validators look it up. */
export { isIsoDate as iso8601 } from '../domain/iso-date.ts';
