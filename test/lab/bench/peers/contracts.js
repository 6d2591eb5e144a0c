// What the routes take, as JSON Schemas, and how a token is verified.
import jwt from 'jsonwebtoken';
import { HttpError } from './invoices.js';

/** The path of the list; the other routes are below it. */
export const PATH = '/apidev/v1/supplier-portal/invoices';

/** The query of a list. */
export const listQuery = {
  type: 'object',
  required: ['startdate', 'enddate'],
  properties: {
    startdate: { type: 'string', minLength: 1 },
    enddate: { type: 'string', minLength: 1 },
    status: { type: 'string', enum: ['PEN', 'ENV', 'APR', 'REV', 'REC', 'AJU', 'LIQ'] },
    search: { type: 'string', maxLength: 120 },
    limit: { type: 'integer', minimum: 1, maximum: 100 },
    offset: { type: 'integer', minimum: 0 },
  },
};

/** The body of validate and of declare. */
export const declaration = {
  type: 'object',
  required: ['invoice_id', 'amount'],
  properties: {
    invoice_id: { type: 'string', minLength: 1, maxLength: 64 },
    amount: { type: 'number', exclusiveMinimum: 0, maximum: 999_999_999_999.99 },
    notes: { type: 'string', maxLength: 2000 },
  },
};

/** The claims of a request's token; throws when it is not one of this tenant. */
export function verifyToken(authorization = '', tenant) {
  try {
    const claims = jwt.verify(authorization.replace('Bearer ', ''), process.env.PUBLIC_KEY, {
      algorithms: ['ES256'],
      issuer: process.env.TOKEN_ISSUER,
      audience: process.env.TOKEN_AUDIENCE,
    });
    if (claims.tenant === tenant) return claims;
  } catch {
    // Told below.
  }
  throw new HttpError(401, 'The access token is missing or invalid.');
}
