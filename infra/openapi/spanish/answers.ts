/** The texts of the document about answers and their examples: English, and the same in Spanish. */
export const ANSWER_TEXTS: Readonly<Record<string, string>> = {
  // Successes
  'A new access token': 'Un nuevo token de acceso',
  'The first two invoices of three months': 'Las dos primeras facturas de tres meses',
  'No invoice matches': 'Ninguna factura coincide',
  'An invoice': 'Una factura',
  'An invoice with two line items': 'Una factura con dos conceptos',
  'An invoice under the tolerance of the tenant': 'Una factura con la tolerancia del tenant',
  'An invoice without any tolerance': 'Una factura sin ninguna tolerancia',
  'Approved automatically': 'Aprobada automáticamente',
  'Sent to review': 'Enviada a revisión',
  'At the very limit of 5 %: approved': 'En el límite exacto de 5 %: aprobada',
  'One cent more: review': 'Un centavo más: revisión',
  'Within the tolerance': 'Dentro de la tolerancia',
  'One declared, one failed': 'Una declarada, una fallida',

  // What is wrong with the input
  'The password is missing': 'Falta la contraseña',
  'A limit above 100': 'Un límite mayor que 100',
  'A limit above 100 and an unknown state': 'Un límite mayor que 100 y un estado desconocido',
  'A range of more than 93 days': 'Un rango de más de 93 días',
  'An id that is not a number': 'Un id que no es un número',
  'An id that is not a number and an amount below 0': 'Un id que no es un número y un importe menor que 0',
  'An amount below 0': 'Un importe menor que 0',
  'A settled invoice': 'Una factura liquidada',
  'Half a character: text that is no Unicode': 'Medio carácter: texto que no es Unicode',
  'One declared, one rejected because it is settled': 'Una declarada, una rechazada porque está liquidada',
  'No declarations': 'Ninguna declaración',
  'An item without an invoice_id: nothing is declared': 'Un elemento sin invoice_id: no se declara nada',
  "Another supplier's invoice, or none": 'Una factura de otro prestador, o que no existe',

  // Who is refused
  'Wrong e-mail or password': 'Correo electrónico o contraseña incorrectos',
  'A wrong password': 'Una contraseña incorrecta',
  'The user is not active': 'El usuario no está activo',
  'The session has ended': 'La sesión terminó',
  'The tenant header is missing': 'Falta el encabezado tenant',
  'The access token is missing or invalid': 'El token de acceso falta o no es válido',
  'The access token is older than an hour': 'El token de acceso tiene más de una hora',
  'The API key is missing or not valid': 'La clave de API falta o no es válida',
  'The user belongs to no supplier': 'El usuario no pertenece a ningún prestador',
  'The user may not declare': 'El usuario no puede declarar',
  'The company account is suspended': 'La cuenta de la empresa está suspendida',
  'The user could not be verified': 'No se pudo verificar al usuario',
  'After 5 failed attempts in 30 seconds': 'Después de 5 intentos fallidos en 30 segundos',
  'More requests in 60 seconds than the limit': 'Más solicitudes en 60 segundos que el límite',
  'An unexpected failure': 'Una falla inesperada',

  // What the gateway answers by itself
  'The gateway: no valid HTTP request': 'El gateway: no es una solicitud HTTP válida',
  'The gateway: a body of more than 10 MB': 'El gateway: un cuerpo de más de 10 MB',
  'The gateway: refused by the web ACL, if there is one': 'El gateway: rechazada por la web ACL, si la hay',
  'The gateway: too many requests of all users together':
    'El gateway: demasiadas solicitudes de todos los usuarios en conjunto',
  'The gateway: the function failed': 'El gateway: la función falló',
  'The gateway: no answer in time': 'El gateway: no hubo respuesta a tiempo',
};
