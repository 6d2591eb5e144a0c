import type { SampleRequest } from '../local/demo-requests.ts';

/** A request to an operation, to be shown as an example of one of its answers. */
export interface Case {
  readonly operationId: string;
  /** The key of the example; unique among those of the operation. */
  readonly name: string;
  readonly summary: string;
  readonly request: SampleRequest;
}

/** A case with what the service answered. */
export interface Exchange extends Case {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}
