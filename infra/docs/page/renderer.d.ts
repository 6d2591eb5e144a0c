/** What the page uses of Swagger UI, which has no types of its own, and of the document that it shows. */

export interface OpenApiDocument {
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly parameters: { readonly Tenant: { readonly name: string; readonly description: string } };
    readonly securitySchemes: Readonly<Record<string, object>>;
  };
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters: readonly { readonly $ref?: string }[];
  readonly security: readonly object[];
}

export interface DemoAccount {
  readonly tenant: string;
  readonly apiKey: string;
}

export interface RendererRequest {
  readonly url: string;
  readonly body?: string;
}

export interface RendererResponse {
  readonly url: string;
  /** The parsed JSON. */
  readonly body?: {
    readonly data?: { readonly authorization?: string };
    readonly error?: { readonly code: string };
  };
}

/** A map of Immutable. */
export interface Fields<Value> {
  readonly size: number;
  get(name: string): string;
  getIn(path: readonly string[]): string;
  toJS(): Value;
  toObject(): Value;
}

export interface OperationFacts {
  readonly tag: string;
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  /** The operation with its references resolved; empty before that. */
  readonly op: Fields<object>;
}

/** What the renderer hands to the parts that the page draws its own way. */
export interface Props {
  readonly tag: string;
  readonly tagObj: Fields<object>;
  readonly title: string | readonly unknown[];
  readonly children: unknown;
  readonly initiallyOpen: boolean;
  readonly operationProps: Fields<OperationFacts>;
  readonly isShown: boolean;
  readonly toggleShown: () => void;
  readonly hasUserEditedBody: boolean;
  readonly onResetClick: () => void;
  readonly method: string;
  readonly path: string;
  readonly specSelectors: { mutatedRequestFor(path: string, method: string): unknown };
  readonly response: Fields<{
    /** Absent, as all but the message, when there was no answer. */
    readonly status?: number;
    readonly statusText?: string;
    readonly message?: string;
    readonly text?: string;
    readonly headers?: Readonly<Record<string, string>>;
    /** Milliseconds; absent for errors. */
    readonly duration?: number;
  }>;
  readonly code: string;
  readonly description: string;
  readonly examples: Fields<object>;
  readonly headers?: Fields<object>;
}

export type Component = (props: Props) => unknown;

export interface React {
  createElement(type: string | Component, props?: object | null, ...children: readonly unknown[]): unknown;
  useState<State>(initial: State): [State, (next: State) => void];
  useEffect(effect: () => void, dependencies: readonly unknown[]): void;
}

export interface Plugin {
  readonly components: Readonly<Record<string, Component>>;
  readonly wrapComponents: Readonly<Record<string, (original: Component) => Component>>;
}

/** The renderer as its plugins and its page see it. */
export interface Renderer {
  readonly React: React;
  getComponent(name: string, connected?: boolean): Component;
  getStore(): { subscribe(listener: () => void): void };
  preauthorizeApiKey(scheme: string, value: string): void;
  readonly authActions: { logout(schemes: readonly string[]): void };
  readonly authSelectors: { authorized(): Fields<Readonly<Record<string, { readonly value: string } | undefined>>> };
  readonly layoutActions: { show(what: readonly string[], shown: boolean): void };
  readonly specSelectors: { specJson(): Fields<OpenApiDocument> };
}

declare global {
  function SwaggerUIBundle(options: {
    readonly domNode: HTMLElement;
    readonly spec: OpenApiDocument;
    readonly layout: string;
    readonly plugins: readonly ((system: Renderer) => Plugin)[];
    readonly tryItOutEnabled: boolean;
    readonly displayRequestDuration: boolean;
    readonly defaultModelExpandDepth: number;
    readonly requestInterceptor: (request: RendererRequest) => RendererRequest;
    readonly responseInterceptor: (response: RendererResponse) => RendererResponse;
    readonly onComplete: () => void;
  }): Renderer;
}
