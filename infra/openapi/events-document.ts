import { EVENT_SOURCE, eventSchemas } from '../../lib/contracts/events.ts';
import type { JsonSchema } from '../../lib/contracts/contract.ts';
import { publishSchemas } from './schemas.ts';

export const eventsFile = new URL('events.json', import.meta.url);

/** Builds a JSON Schema (draft-07) of the events as EventBridge sends them to a target, with a definition per type. */
export function eventsDocument() {
  const definitions = Object.entries(eventSchemas).map(([type, detail]) => [
    type,
    {
      type: 'object',
      required: ['source', 'detail-type', 'detail'],
      properties: { source: { const: EVENT_SOURCE }, 'detail-type': { const: type }, detail },
    },
  ]) as [string, JsonSchema][];
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Events of the Supplier Portal Invoice Service',
    description: 'Later versions may add fields. What would break a receiver gets another detail.version.',
    oneOf: Object.keys(eventSchemas).map((type) => ({ $ref: `#/definitions/${type}` })),
    definitions: publishSchemas(Object.fromEntries(definitions), 'en'),
  };
}
