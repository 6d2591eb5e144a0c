import type {
  ExampleInput,
  RejectionExample,
  SampleAccount,
  SuccessExample,
  Validator,
} from '../../lib/contracts/contract.ts';
import * as validators from '../../lib/contracts/validators.generated.js';
import { createValidationError, type ErrorCode, type ServiceError } from '../../lib/domain/errors.ts';
import type { Language } from '../../lib/domain/language.ts';
import { ENVELOPE, type ResponseFormat } from '../../lib/http/responses.ts';
import { toPropertyFaults } from '../../lib/http/validation-details.ts';
import { toLegacyError } from '../../lib/legacy/operations.ts';
import { LEGACY_NAMES, toLegacyNames } from '../../lib/legacy/protocol.ts';
import { RESULTADO_FORMAT } from '../../lib/legacy/resultado.ts';
import { toExportName } from '../generate/validator-source.ts';
import { contractDocs, type ContractName, currentContracts } from '../routes.ts';
import { type CallerError, listCallerErrors, listLegacyCallerErrors } from './caller-errors.ts';
import { invertNames } from './operation-objects.ts';
import { GATEWAY_FAILURES } from './response-objects.ts';

const VALIDATORS: Readonly<Record<string, Validator<string, unknown>>> = { ...validators };

/** An example of a response of an operation, in one language. */
export interface OperationExample {
  readonly operationId: string;
  readonly summary: string;
  readonly code: 'success' | ErrorCode;
  readonly status: number;
  /** The input of the request; undefined if the response does not depend on the input. */
  readonly input?: ExampleInput;
  readonly body: object;
}

/** An operation of the current interface or of the legacy route, with the conversions of its examples. */
interface ExampleOperation {
  readonly operationId: string;
  readonly contractName: ContractName;
  readonly callerErrors: readonly CallerError[];
  readonly format: ResponseFormat;
  readonly toInput: (input: ExampleInput) => ExampleInput;
  readonly toError: (error: ServiceError) => ServiceError;
}

/** Builds the examples of all operations, whose requests contain the credentials of an account. */
export function buildExamples(language: Language, account: SampleAccount): OperationExample[] {
  return [...listCurrentOperations(), ...listLegacyOperations(account)].flatMap((operation) => {
    const { operationId, contractName, callerErrors, format } = operation;
    const { examples, rejections } = contractDocs[contractName];
    return [
      ...examples.map((example) => buildSuccess(operation, example, account, language)),
      ...rejections.map((example) => buildRejection(operation, example, language)),
      ...callerErrors.map(({ error, heading }) => {
        return { operationId, summary: heading[language], code: error.code, ...format.error(error, language) };
      }),
      ...GATEWAY_FAILURES.map(({ cause, ...response }) => ({ operationId, summary: cause[language], ...response })),
    ];
  });
}

function listCurrentOperations(): ExampleOperation[] {
  return currentContracts.map(({ name, access }) => ({
    operationId: name,
    contractName: name,
    callerErrors: listCallerErrors(access),
    format: ENVELOPE,
    toInput: (input) => input,
    toError: (error) => error,
  }));
}

function listLegacyOperations({ apiKey, email, password }: SampleAccount): ExampleOperation[] {
  const WSAutorizacion = { Guid: apiKey, Usuario: email, Password: password };
  return Object.entries(LEGACY_NAMES).map(([operationId, { contract, request }]) => ({
    operationId,
    contractName: contract.name,
    callerErrors: listLegacyCallerErrors(contract.access),
    format: RESULTADO_FORMAT,
    toInput: (input) => ({ WSAutorizacion, ...(toLegacyNames(input, invertNames(request)) as ExampleInput) }),
    toError: (error) => toLegacyError(error, request),
  }));
}

function buildSuccess(
  { operationId, format, toInput, toError }: ExampleOperation,
  example: SuccessExample,
  account: SampleAccount,
  language: Language,
): OperationExample {
  const { input, data, itemErrors, meta } = example;
  const response = format.success({
    data: typeof data === 'function' ? data(language) : data,
    ...(itemErrors && { itemErrors: itemErrors.map((error) => error && toError(error)) }),
    ...(meta && { meta }),
  });
  const exampleInput = toInput(typeof input === 'function' ? input(account) : input);
  return { operationId, summary: example[language], code: 'success', input: exampleInput, ...response };
}

function buildRejection(
  { operationId, contractName, format, toInput, toError }: ExampleOperation,
  example: RejectionExample,
  language: Language,
): OperationExample {
  const { input, error = createInputError(contractName, input) } = example;
  const response = format.error(toError(error), language);
  return { operationId, summary: example[language], code: error.code, input: toInput(input), ...response };
}

/** Creates the error that the validator of a contract reports for an invalid input. */
function createInputError(name: ContractName, input: ExampleInput): ServiceError {
  const validate = VALIDATORS[toExportName(name)]!;
  validate(input);
  return createValidationError(toPropertyFaults(validate.errors ?? [], 'body'));
}
