import type { Contract, ExampleInput, SampleAccount, Validator } from '../../lib/contracts/contract.ts';
import * as validators from '../../lib/contracts/validators.generated.js';
import { createValidationError, type ErrorCode, type ServiceError } from '../../lib/domain/errors.ts';
import type { Language, Text } from '../../lib/domain/language.ts';
import { ENVELOPE, type ResponseFormat } from '../../lib/http/responses.ts';
import { toPropertyFaults } from '../../lib/http/validation-details.ts';
import { toLegacyError } from '../../lib/legacy/operations.ts';
import { LEGACY_NAMES, toLegacyNames } from '../../lib/legacy/protocol.ts';
import { RESULTADO_FORMAT } from '../../lib/legacy/resultado.ts';
import { toExportName } from '../generate/validator-source.ts';
import { contractDocs, currentContracts, type ServiceContract } from '../routes.ts';

/** An example of a request to an operation, and of its response. */
export interface OperationExample {
  readonly operationId: string;
  readonly heading: Text;
  readonly code: 'success' | ErrorCode;
  readonly status: number;
  readonly input: ExampleInput;
  /** The body of the response, by the language of the request. */
  readonly bodies: Readonly<Record<Language, object>>;
}

/** An operation, with the conversions of its examples from the current interface to its own, such as the legacy route. */
interface ExampleOperation {
  readonly operationId: string;
  readonly contract: ServiceContract;
  readonly format: ResponseFormat;
  readonly toInput: (input: ExampleInput) => ExampleInput;
  readonly toError: (error: ServiceError) => ServiceError;
}

const VALIDATORS: Readonly<Record<string, Validator<string, unknown>>> = { ...validators };

/** Builds the examples of all operations with the requests of an account: successes, and rejections of an input. */
export function buildExamples(account: SampleAccount): OperationExample[] {
  const operations = [...listCurrentOperations(), ...listLegacyOperations(account)];
  return operations.flatMap((operation) => [...buildSuccesses(operation, account), ...buildRejections(operation)]);
}

function listCurrentOperations(): ExampleOperation[] {
  return currentContracts.map((contract) => ({
    operationId: contract.name,
    contract,
    format: ENVELOPE,
    toInput: (input) => input,
    toError: (error) => error,
  }));
}

function listLegacyOperations({ apiKey, email, password }: SampleAccount): ExampleOperation[] {
  const WSAutorizacion = { Guid: apiKey, Usuario: email, Password: password };
  return Object.entries(LEGACY_NAMES).map(([operationId, { contract, request }]) => ({
    operationId,
    contract,
    format: RESULTADO_FORMAT,
    toInput: (input) => ({ WSAutorizacion, ...(toLegacyNames(input, request) as ExampleInput) }),
    toError: (error) => toLegacyError(error, request),
  }));
}

function buildSuccesses(operation: ExampleOperation, account: SampleAccount): OperationExample[] {
  const { operationId, contract, format, toInput, toError } = operation;
  return contractDocs[contract.name].examples.map(({ en, es, input, data, ...result }) => {
    const itemErrors = result.itemErrors?.map((error) => error && toError(error));
    const otherParts = { ...(result.meta && { meta: result.meta }), ...(itemErrors && { itemErrors }) };
    const buildBody = (language: Language) => {
      const dataInLanguage = typeof data === 'function' ? data(language) : data;
      return format.success({ data: dataInLanguage, ...otherParts }).body;
    };
    return {
      operationId,
      heading: { en, es },
      code: 'success',
      status: 200,
      input: toInput(typeof input === 'function' ? input(account) : input),
      bodies: { en: buildBody('en'), es: buildBody('es') },
    };
  });
}

function buildRejections(operation: ExampleOperation): OperationExample[] {
  const { operationId, contract, format, toInput, toError } = operation;
  return contractDocs[contract.name].rejections.map(({ en, es, input, error: declaredError }) => {
    const error = toError(declaredError ?? createInputError(contract, input));
    const { status, body } = format.error(error, 'en');
    const bodies = { en: body, es: format.error(error, 'es').body };
    return { operationId, heading: { en, es }, code: error.code, status, input: toInput(input), bodies };
  });
}

/** Creates the error that the validator of a contract reports. Throws if the input is valid. */
function createInputError({ name }: Contract, input: ExampleInput): ServiceError {
  const validate = VALIDATORS[toExportName(name)];
  if (!validate || validate(input)) throw new Error(`${name} accepts ${JSON.stringify(input)}.`);
  return createValidationError(toPropertyFaults(validate.errors ?? [], 'body'));
}
