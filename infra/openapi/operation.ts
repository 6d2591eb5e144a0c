import type { JsonSchema } from '../../lib/contracts/contract.ts';
import type { Language } from '../../lib/domain/language.ts';

/** A body in the document. */
export interface Content {
  readonly 'application/json': {
    readonly schema: JsonSchema;
    readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
  };
}

/** A reference to another part of the document. */
export interface Reference {
  readonly $ref: string;
}

/** Returns the headers that several operations take. The document contains each of them once. */
export function sharedParameters(language: Language) {
  const isEnglish = language === 'en';
  return {
    Tenant: {
      name: 'tenant',
      in: 'header',
      required: true,
      description: isEnglish ? 'The assigned tenant domain' : 'El dominio del tenant asignado',
      schema: { type: 'string', minLength: 1 },
    },
    LoginApiKey: {
      name: 'X-API-Key',
      in: 'header',
      required: false,
      description: isEnglish
        ? 'Accepted and ignored: a login needs no API key'
        : 'Se acepta y se ignora: el login no necesita la clave de API',
      schema: { type: 'string' },
    },
    AcceptLanguage: {
      name: 'Accept-Language',
      in: 'header',
      required: false,
      description: isEnglish
        ? 'In which language messages are: Spanish where it is preferred (`es`, `es-AR`, weights too), else English; codes, names and fixed messages stay'
        : 'En qué idioma están los mensajes: español si se prefiere (`es`, `es-AR`, también con pesos); si no, inglés; los códigos, los nombres y los mensajes fijos no cambian',
      schema: { type: 'string' },
    },
  };
}

/** Refers to one of the shared parameters. */
export function parameterReference(name: keyof ReturnType<typeof sharedParameters>): Reference {
  return { $ref: `#/components/parameters/${name}` };
}

export function json(schema: JsonSchema): Content {
  return { 'application/json': { schema } };
}
