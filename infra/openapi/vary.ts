import type { SampleRequest } from '../local/demo-requests.ts';

/** What is different about a request; undefined leaves a header or a field out. */
export interface Variation {
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly query?: Readonly<Record<string, string>>;
  /** The last segment of the path. */
  readonly lastSegment?: string;
  readonly body?: object;
}

/** The request, varied. */
export function vary(request: SampleRequest, { headers, query, lastSegment, body }: Variation): SampleRequest {
  const url = new URL(request.path, 'http://service');
  if (lastSegment !== undefined) url.pathname = url.pathname.replace(/[^/]+$/, lastSegment);
  for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
  return {
    ...request,
    path: url.pathname + url.search,
    headers: Object.fromEntries(
      Object.entries({ ...request.headers, ...headers }).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value]],
      ),
    ),
    ...(body && request.body !== undefined && { body: JSON.stringify({ ...JSON.parse(request.body), ...body }) }),
  };
}
