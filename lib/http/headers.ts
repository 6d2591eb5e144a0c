import type { APIGatewayProxyEvent } from 'aws-lambda';
import { type Language, LANGUAGES } from '../domain/language.ts';

type RequestHeaders = Partial<Pick<APIGatewayProxyEvent, 'headers' | 'multiValueHeaders'>>;

/**
 * Reads the value of a request header, whatever the case of its name; undefined if the header is missing or blank.
 * Different values of a repeated header are joined with commas (RFC 9110, 5.3). The joined text is rejected as invalid.
 * If the service selected one value instead, a firewall or a log could see another one.
 */
export function readHeader({ headers, multiValueHeaders }: RequestHeaders, name: string): string | undefined {
  const values = [...readHeaderValues(headers, name), ...readHeaderValues(multiValueHeaders, name)];
  const distinctValues = new Set(values.map((value) => value.trim()));
  return [...distinctValues].join(', ') || undefined;
}

/** Reads the media type of a body in lower case, without parameters. Returns undefined if there is none, or several. */
export function readMediaType(event: RequestHeaders): string | undefined {
  const contentType = readHeader(event, 'content-type');
  if (contentType === undefined || contentType.includes(',')) return undefined;
  return contentType.split(';')[0]?.trim().toLowerCase();
}

// A language range with an optional weight (RFC 9110, 12.5.4), without surrounding blanks: `es` or `es-ar;q=0.8`.
const LANGUAGE_RANGE =
  /^(?<language>[a-z]{1,8})(?:-[a-z\d]{1,8})*(?:[ \t]*;[ \t]*q=(?<weight>0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/;

/**
 * Selects the language with the highest weight in the Accept-Language headers (`es-AR` is Spanish). Of languages with
 * the same weight, the first one decides. Invalid ranges and `*` are ignored. The default is English.
 */
export function selectLanguage({ multiValueHeaders }: RequestHeaders): Language {
  let selectedLanguage: Language = 'en';
  let highestWeight = 0;
  const header = readHeaderValues(multiValueHeaders, 'accept-language').join();
  for (const range of header.toLowerCase().split(',')) {
    const { language: code, weight = '1' } = LANGUAGE_RANGE.exec(range.trim())?.groups ?? {};
    const language = LANGUAGES.find((supported) => supported === code);
    if (language === undefined || Number(weight) <= highestWeight) continue;
    selectedLanguage = language;
    highestWeight = Number(weight);
  }
  return selectedLanguage;
}

/** Reads all values of a request header, whatever the case of its name. `name` is in lower case. */
function readHeaderValues(headers: RequestHeaders['headers' | 'multiValueHeaders'], name: string): string[] {
  const entries = Object.entries(headers ?? {}).filter(([key]) => key.toLowerCase() === name);
  return entries.flatMap(([, values = []]) => values);
}
