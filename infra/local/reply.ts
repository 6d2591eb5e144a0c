import type { ServerResponse } from 'node:http';

/** A response to send, with its headers by name. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | Buffer;
}

export function sendReply(response: ServerResponse, { status, headers, body }: Reply): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.statusCode = status;
  response.end(body);
}

export function buildJsonReply(status: number, value: unknown): Reply {
  const headers = { 'Content-Type': 'application/json', 'X-Content-Type-Options': 'nosniff' };
  return { status, headers, body: JSON.stringify(value) };
}

/** Builds the response to an invalid command of a tester. */
export function buildUsageReply(usage: string): Reply {
  return buildJsonReply(400, { success: false, error: { code: 'VALIDATION_ERROR', message: usage } });
}

/** Parses the command of a tester. Returns an object without properties for any text that is not a JSON object. */
export function parseCommand(body: string): Readonly<Record<string, unknown>> {
  try {
    const command: unknown = JSON.parse(body);
    const isObject = typeof command === 'object' && command !== null && !Array.isArray(command);
    return isObject ? (command as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
