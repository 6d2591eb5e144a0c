import type { Contract, JsonSchema } from '../../lib/contracts/contract.ts';
import type { Language, Text } from '../../lib/domain/language.ts';

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

export function parameterReference(name: keyof ReturnType<typeof sharedParameters>): Reference {
  return { $ref: `#/components/parameters/${name}` };
}

export function json(schema: JsonSchema): Content {
  return { 'application/json': { schema } };
}

export const TAGS: Readonly<Record<Contract['tag'], { readonly name: Text; readonly description: Text }>> = {
  Session: {
    name: { en: 'Session', es: 'Sesión' },
    description: {
      en: 'From e-mail and password to an access token.',
      es: 'Del correo electrónico y la contraseña al token de acceso.',
    },
  },
  Invoices: {
    name: { en: 'Invoices', es: 'Facturas' },
    description: {
      en: 'What the service knows of the invoices of the supplier behind the token.',
      es: 'Lo que el servicio sabe de las facturas del prestador al que pertenece el token.',
    },
  },
  Declarations: {
    name: { en: 'Declarations', es: 'Declaraciones' },
    description: {
      en: 'The amounts that the supplier bills, and what becomes of them.',
      es: 'Los importes que el prestador factura y qué resulta de ellos.',
    },
  },
  Legacy: {
    name: { en: 'Legacy', es: 'Protocolo anterior' },
    description: {
      en: 'The same invoices, rules, permissions and limits in the form of the legacy protocol, under names of our own.',
      es: 'Las mismas facturas, reglas, permisos y límites en la forma del protocolo anterior, con nombres nuestros.',
    },
  },
};
