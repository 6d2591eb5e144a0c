import { type ConsumedCapacity as Charged, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, type UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { currentDeadline, DeadlineError, recordCall } from '../../runtime/request-scope.ts';
import { createHash, createHmac, createSecretKey, type Hash, type Hmac, type KeyObject } from 'node:crypto';

const MAX_SOCKETS = 256;
const READS = /Get|Query|Scan/;

/**
 * Creates a document client with fixed attempts and timeouts. It returns numbers as NumberValue, never as binary
 * floats. Calls for a request end by its deadline, and add to its usage. The default region is that of the environment.
 */
export function createDocumentClient(where: { region?: string } = {}): DynamoDBDocumentClient {
  const client = new DynamoDBClient({
    ...where,
    maxAttempts: 3,
    retryMode: 'standard',
    ...tunedSettings(),
    requestHandler: {
      connectionTimeout: 3_000,
      requestTimeout: 5_000,
      throwOnRequestTimeout: true,
      // A process that serves many requests at once must not wait for its own sockets: that counts as a timeout.
      httpAgent: { maxSockets: MAX_SOCKETS },
      httpsAgent: { maxSockets: MAX_SOCKETS },
    },
  });
  tuneClient(client);
  meterCalls(client);
  const documents = DynamoDBDocumentClient.from(client, {
    marshallOptions: { removeUndefinedValues: true },
    unmarshallOptions: { wrapNumbers: true },
  });
  endByDeadline(documents);
  return documents;
}

export function withoutRetry(command: UpdateCommand): UpdateCommand {
  const instead = { name: 'retryMiddleware', step: 'finalizeRequest', priority: 'high', override: true } as const;
  command.middlewareStack.add((next) => next, instead);
  return command;
}

/** Ends every call of a client, with its retries, by the deadline of its request; no attempt begins after that. */
function endByDeadline(client: DynamoDBDocumentClient): void {
  const isLate = () => (currentDeadline()?.remainingMs() ?? 1) <= 0;

  const send = client.send.bind(client) as (command: unknown, options?: object) => Promise<unknown>;
  client.send = (async (command: unknown, options?: object) => {
    if (isLate()) throw new DeadlineError({ callBegun: false });
    const deadline = currentDeadline();
    return send(command, deadline ? { ...options, abortSignal: deadline.signal } : options);
  }) as typeof client.send;

  client.middlewareStack.add(
    (next) => async (args) => {
      if (isLate()) throw new DeadlineError({ callBegun: true });
      return next(args);
    },
    // Inside the retries: a process may have been frozen between two attempts.
    { step: 'finalizeRequest', name: 'beginNoAttemptLate', priority: 'low' },
  );
}

/** Records every attempt at a call, with the capacity that DynamoDB reports. A failed attempt reports none. */
export function meterCalls({ middlewareStack }: DynamoDBClient): void {
  middlewareStack.add(
    (next) => (args) => next({ ...args, input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' } }),
    { step: 'initialize', name: 'askForCapacity' },
  );
  middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const startMs = performance.now();
        let units = 0;
        try {
          const result = await next(args);
          const { ConsumedCapacity: charged = [] } = result.output as { ConsumedCapacity?: Charged | Charged[] };
          units = [charged].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
          return result;
        } finally {
          const [readUnits, writeUnits] = READS.test(commandName) ? [units, 0] : [0, units];
          recordCall({ startMs, endMs: performance.now(), readUnits, writeUnits });
        }
      },
    // Inside the retries: each attempt is a call.
    { step: 'finalizeRequest', name: 'meterCall', priority: 'low' },
  );
}

// What the SDK does for every call and this service does not need. The figures are the warm CPU of a list, a detail, a
// validation and a declaration, divided by that of the same endpoints on Express, in one run of `npm run bench`:
// without these steps 0.90, 0.89, 0.87 and 0.93; with them 0.75, 0.73, 0.70 and 0.85.

/** Settings of a client with a lower cost of each call: `streamCollector` saves about 0.08, and `sha256` about 0.03. */
export const tunedSettings = () => ({ streamCollector: collectBody, sha256: SigningHash });

/** Removes from a client the work that each call repeats: the signer saves about 0.03, and the logger about 0.03. */
export function tuneClient(client: DynamoDBClient): void {
  keepSigner(client);
  // It prepares the input and output of every call for a logger, even if the client has no logger.
  client.middlewareStack.remove('loggerMiddleware');
}

/** Collects the bytes of a response. The SDK would pipe each response through an additional stream. */
function collectBody(body: NodeJS.ReadableStream): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    body.on('data', (chunk: Buffer) => chunks.push(chunk));
    body.on('end', () => resolve(Buffer.concat(chunks)));
    body.on('error', reject);
  });
}

/** Keeps the signer of a client. The SDK would create a signer for every call; a signer reads the credentials each time. */
function keepSigner({ config }: DynamoDBClient): void {
  const createSigner = config.signer;
  let signer: ReturnType<typeof createSigner> | undefined;
  config.signer = (scheme) => {
    signer ??= createSigner(scheme).catch((error: unknown) => {
      signer = undefined;
      throw error;
    });
    return signer;
  };
}

type Bytes = ArrayBuffer | ArrayBufferView;

// Node takes longer to create a key from bytes than to sign with it, and the SDK signs with the same bytes for a day.
const keys = new WeakMap<object, KeyObject>();

/** SHA-256, or with a secret HMAC-SHA-256, with which the SDK signs its calls. It keeps the key of each secret. */
export class SigningHash {
  readonly #secret: string | Bytes | undefined;
  #hash: Hash | Hmac;

  constructor(secret?: string | Bytes) {
    this.#secret = secret;
    this.#hash = createHashOf(secret);
  }

  /** Removes the data that was added. */
  reset(): void {
    this.#hash = createHashOf(this.#secret);
  }

  update(data: Uint8Array): void {
    this.#hash.update(data);
  }

  /** Returns the hash of all data that was added; can be called once. */
  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
}

function createHashOf(secret: string | Bytes | undefined): Hash | Hmac {
  if (secret === undefined) return createHash('sha256');
  return createHmac('sha256', typeof secret === 'string' ? secret : findKey(secret));
}

function findKey(secret: Bytes): KeyObject {
  // Node accepts all types of bytes, but its type definitions do not.
  const key = keys.get(secret) ?? createSecretKey(secret as Uint8Array);
  keys.set(secret, key);
  return key;
}
