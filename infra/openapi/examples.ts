import type { Contract, ExampleInput, SampleAccount, Validator } from '../../lib/contracts/contract.ts';
import * as validators from '../../lib/contracts/validators.generated.js';
import { createValidationError, type ErrorCode, ServiceError } from '../../lib/domain/errors.ts';
import type { Language, Text } from '../../lib/domain/language.ts';
import * as texts from '../../lib/domain/texts.ts';
import { ENVELOPE, type ResponseFormat } from '../../lib/http/responses.ts';
import { toPropertyFaults } from '../../lib/http/validation-details.ts';
import { toLegacyError } from '../../lib/legacy/operations.ts';
import { LEGACY_NAMES, toLegacyNames } from '../../lib/legacy/protocol.ts';
import { RESULTADO_FORMAT } from '../../lib/legacy/resultado.ts';
import { toExportName } from '../generate/validator-source.ts';
import { OPERATION_GATEWAY_RESPONSES } from '../gateway-errors.ts';
import { contractDocs, type ContractName, currentContracts } from '../routes.ts';
import { listErrorCodes, listLegacyErrorCodes } from './error-codes.ts';
import { invertNames } from './schemas.ts';

/** An example of a response of an operation. */
export interface OperationExample {
  readonly operationId: string;
  readonly heading: Text;
  readonly code: 'success' | ErrorCode;
  readonly status: number;
  /** The input of the request. It is undefined if the response does not depend on the input. */
  readonly input?: ExampleInput;
  /** The body of the response, by the language of the request. */
  readonly bodies: Readonly<Record<Language, object>>;
}

/** An operation of the current interface or of the legacy route, with the conversions of its examples. */
interface ExampleOperation {
  readonly operationId: string;
  readonly contract: Contract & { readonly name: ContractName };
  readonly errorCodes: readonly ErrorCode[];
  readonly format: ResponseFormat;
  readonly toInput: (input: ExampleInput) => ExampleInput;
  readonly toError: (error: ServiceError) => ServiceError;
}

/** The texts of the errors that depend on the caller or on the state of the service. */
const ERROR_TEXTS: Readonly<Partial<Record<ErrorCode, Text>>> = {
  UNAUTHORIZED: texts.tokenInvalid,
  TOKEN_EXPIRED: texts.tokenExpired,
  FORBIDDEN: texts.supplierRequired,
  COMPANY_SUSPENDED: texts.companySuspended,
  RATE_LIMITED: texts.tooManyRequests,
  INTERNAL_ERROR: texts.unexpected,
  SERVICE_UNAVAILABLE: texts.userNotVerified,
};

const VALIDATORS: Readonly<Record<string, Validator<string, unknown>>> = { ...validators };

/** Builds the examples of all operations with the requests of an account. Each success and each error has an example. */
export function buildExamples(account: SampleAccount): OperationExample[] {
  const operations = [...listCurrentOperations(), ...listLegacyOperations(account)];
  return operations.flatMap((operation) => {
    const inputExamples = [...buildSuccesses(operation, account), ...buildRejections(operation)];
    const inputCodes = inputExamples.map(({ code }) => code);
    const otherCodes = operation.errorCodes.filter((code) => !inputCodes.includes(code));
    const callerErrors = otherCodes.map((code) => buildCallerError(operation, code));
    return [...inputExamples, ...callerErrors, ...listGatewayErrors(operation)];
  });
}

function listCurrentOperations(): ExampleOperation[] {
  return currentContracts.map((contract) => ({
    operationId: contract.name,
    contract,
    errorCodes: listErrorCodes(contract),
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
    errorCodes: listLegacyErrorCodes(contract),
    format: RESULTADO_FORMAT,
    toInput: (input) => ({ WSAutorizacion, ...(toLegacyNames(input, invertNames(request)) as ExampleInput) }),
    toError: (error) => toLegacyError(error, request),
  }));
}

function buildSuccesses(operation: ExampleOperation, account: SampleAccount): OperationExample[] {
  const { operationId, contract, format, toInput, toError } = operation;
  return contractDocs[contract.name].examples.map(({ en, es, input, data, itemErrors, meta }) => {
    const convertedErrors = itemErrors?.map((error) => error && toError(error));
    const buildBody = (language: Language) => {
      const dataInLanguage = typeof data === 'function' ? data(language) : data;
      const errors = convertedErrors && { itemErrors: convertedErrors };
      return format.success({ data: dataInLanguage, ...(meta && { meta }), ...errors }).body;
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
  const { contract, toInput, toError } = operation;
  return contractDocs[contract.name].rejections.map(({ en, es, input, error }) => {
    const example = buildError(operation, toError(error ?? createInputError(contract, input)));
    return { ...example, heading: { en, es }, input: toInput(input) };
  });
}

function createInputError({ name }: Contract, input: ExampleInput): ServiceError {
  const validate = VALIDATORS[toExportName(name)]!;
  validate(input);
  return createValidationError(toPropertyFaults(validate.errors ?? [], 'body'));
}

function buildCallerError(operation: ExampleOperation, code: ErrorCode): OperationExample {
  // Only the login needs no access. It limits failed logins, and not requests.
  const isRejectedLogin = operation.contract.access === null && code === 'RATE_LIMITED';
  const text = isRejectedLogin ? texts.tooManyLogins : ERROR_TEXTS[code];
  if (text === undefined) throw new Error(`ERROR_TEXTS has no text for ${code}.`);
  return buildError(operation, new ServiceError(code, text));
}

/** Builds the example of an error. The heading is the code of the error. */
function buildError({ operationId, format }: ExampleOperation, error: ServiceError): OperationExample {
  const { code } = error;
  const { status, body } = format.error(error, 'en');
  const bodies = { en: body, es: format.error(error, 'es').body };
  return { operationId, heading: { en: code, es: code }, code, status, bodies };
}

function listGatewayErrors({ operationId }: ExampleOperation): OperationExample[] {
  return OPERATION_GATEWAY_RESPONSES.map(({ code, types: [type], status, body }) => {
    const heading = { en: `The gateway: ${type}`, es: `El gateway: ${type}` };
    return { operationId, heading, code, status, bodies: { en: body, es: body } };
  });
}
