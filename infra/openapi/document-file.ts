/** Where the OpenAPI document is. */
export const documentFile = new URL('openapi.json', import.meta.url);
