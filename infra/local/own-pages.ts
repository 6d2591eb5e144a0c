import type { IncomingHttpHeaders } from 'node:http';
import { stringify } from 'yaml';
import { docsPages } from '../docs/serve-page.ts';
import type { DemoAccount } from './demo.ts';
import type { Reply } from './reply.ts';

/** What is answered to GET with these headers, by path. */
export type Pages = Readonly<Record<string, (headers: IncomingHttpHeaders) => Reply>>;

/** The reference page, and the interface for tools: as JSON and as YAML. */
export function ownPages(demo: DemoAccount | undefined): Pages {
  const pages: Pages = docsPages(demo);
  return { ...pages, '/openapi.yaml': () => asYaml(pages['/openapi.json']!({})) };
}

function asYaml({ status, headers, body }: Reply): Reply {
  const text = stringify(JSON.parse(body.toString()), { aliasDuplicateObjects: false, lineWidth: 120 });
  return { status, headers: { ...headers, 'Content-Type': 'application/yaml' }, body: text };
}
