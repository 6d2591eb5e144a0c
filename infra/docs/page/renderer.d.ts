/** What the page uses of Swagger UI, which has no types of its own, and of the document that it shows. */

export interface OpenApiDocument {
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    parameters: { Tenant: { name: string; description: string } };
    securitySchemes: Record<string, object>;
  };
}

export interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  parameters: { $ref?: string }[];
  security: object[];
}

export interface RendererRequest {
  url: string;
  body?: string;
}

export interface RendererResponse {
  url: string;
  /** The parsed JSON. */
  body?: { data?: { authorization?: string }; error?: { code: string } };
}

/** A map of Immutable. */
interface Fields<Value> {
  size: number;
  get(name: string): string;
  getIn(path: string[]): string;
  toJS(): Value;
}

/** What the renderer hands to the parts that the page draws its own way; each part gets some of it. */
export interface Props {
  tag: string;
  tagObj: Fields<object>;
  title: unknown;
  children: unknown;
  initiallyOpen: boolean;
  /** The references of `op` are resolved; it is empty before that. */
  operationProps: {
    toObject(): Record<'tag' | 'operationId' | 'method' | 'path' | 'summary', string> & { op: Fields<object> };
  };
  isShown: boolean;
  toggleShown: () => void;
  hasUserEditedBody: boolean;
  onResetClick: () => void;
  method: string;
  path: string;
  specSelectors: { mutatedRequestFor(path: string, method: string): unknown };
  /** Without an answer it holds the message alone; `duration` (milliseconds) is absent for errors. */
  response: Fields<{
    status?: number;
    statusText?: string;
    message?: string;
    text?: string;
    headers?: Record<string, string>;
    duration?: number;
  }>;
  code: string;
  description: string;
  examples: Fields<object>;
  headers?: Fields<object>;
}

export type Component = (props: Props) => unknown;

export interface Plugin {
  components: Record<string, Component>;
  wrapComponents: Record<string, (original: Component) => Component>;
}

/** The renderer as its plugins and its page see it. */
export interface Renderer {
  React: {
    createElement(type: string | Component, props?: object | null, ...children: unknown[]): unknown;
    useState<State>(initial: State): [State, (next: State) => void];
    useEffect(effect: () => void, dependencies: unknown[]): void;
  };
  getComponent(name: string, connected?: boolean): Component;
  getStore(): { subscribe(listener: () => void): void };
  preauthorizeApiKey(scheme: string, value: string): void;
  authActions: { logout(schemes: string[]): void };
  authSelectors: { authorized(): Fields<Record<string, { value: string } | undefined>> };
  layoutActions: { show(what: string[], shown: boolean): void };
  specSelectors: { specJson(): Fields<OpenApiDocument> };
}

declare global {
  function SwaggerUIBundle(options: {
    domNode: HTMLElement;
    spec: OpenApiDocument;
    layout: string;
    plugins: ((system: Renderer) => Plugin)[];
    tryItOutEnabled: boolean;
    displayRequestDuration: boolean;
    defaultModelExpandDepth: number;
    requestInterceptor(request: RendererRequest): RendererRequest;
    responseInterceptor(response: RendererResponse): RendererResponse;
    onComplete(): void;
  }): Renderer;
}
