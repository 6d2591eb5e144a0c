import type { ContractTag } from '../../lib/contracts/contract.ts';
import type { Text } from '../../lib/domain/language.ts';

/** The groups of the document. */
export const TAGS: Readonly<Record<ContractTag, { readonly name: Text; readonly description: Text }>> = {
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
