/** The texts of the document about parameters, headers and fields: English, and the same in Spanish. */
export const FIELD_TEXTS: Readonly<Record<string, string>> = {
  // What is sent
  'The assigned tenant domain': 'El dominio del tenant asignado',
  'The assigned tenant domain; if it is sent, it must be that of the key':
    'El dominio del tenant asignado; si se envía, debe ser el de la clave',
  'In which language messages are: Spanish where it is preferred (`es`, `es-AR`, weights too), else English; codes, names and fixed messages stay':
    'En qué idioma están los mensajes: español si se prefiere (`es`, `es-AR`, también con pesos); si no, inglés; los códigos, los nombres y los mensajes fijos no cambian',
  'The access token: `data.authorization` of the login': 'El token de acceso: `data.authorization` del login',
  'The API key issued to the company at onboarding': 'La clave de API que la empresa recibió en el alta',
  'Accepted and ignored: a login needs no API key': 'Se acepta y se ignora: el login no necesita la clave de API',
  "User's e-mail": 'Correo electrónico del usuario',
  "User's password": 'Contraseña del usuario',
  'Push-notification player id to register for the user':
    'Identificador (player id) que se registra para las notificaciones push del usuario',
  'Start of the range, ISO 8601 (a date: its first instant, UTC)':
    'Inicio del rango, ISO 8601 (una fecha: su primer instante, UTC)',
  'End of the range, ISO 8601 (a date: its last instant, UTC)':
    'Fin del rango, ISO 8601 (una fecha: su último instante, UTC)',
  'Text in service number, account name, provider invoice number or invoice id':
    'Texto en el número de servicio, el nombre de la cuenta, el número de factura del prestador o el id de la factura',
  'Records to skip': 'Registros que se omiten',
  'Amount, rounded half-up to 6 decimals; 0, or at least 0.0000005':
    'Importe, redondeado a 6 decimales (la mitad, hacia arriba); 0, o como mínimo 0.0000005',
  'Free text; empty clears it': 'Texto libre; vacío lo borra',
  "Supplier's own invoice number; empty clears it": 'Número de factura del prestador; vacío lo borra',
  "Supplier's own invoice date, ISO 8601; empty clears it":
    'Fecha de la factura del prestador, ISO 8601; vacía la borra',
  'Tax percentage; it cannot be cleared': 'Porcentaje de impuesto; no puede borrarse',
  'API key issued to the company': 'Clave de API entregada a la empresa',
  "Integration user's e-mail or username": 'Correo electrónico o nombre del usuario de integración',
  "Integration user's password": 'Contraseña del usuario de integración',

  // Headers of answers
  'Unique identifier of the request, made by the service; name it when you ask for help':
    'Identificador único de la solicitud, generado por el servicio; indíquelo cuando pida ayuda',
  'No answer may be stored': 'Ninguna respuesta debe almacenarse',
  'The type of the content is the one that is named': 'El tipo del contenido es el que se indica',
  'For a year, this host speaks HTTPS only; means nothing over HTTP, as on your own machine':
    'Durante un año, este host solo usa HTTPS; no significa nada sobre HTTP, como en su propia máquina',
  'A browser that shows the answer loads nothing for it, and shows it in no frame':
    'Un navegador que muestra la respuesta no carga nada para ella ni la muestra dentro de un marco',
  'Maximum requests in the current window': 'Máximo de solicitudes en la ventana actual',
  'Requests left in the window; the maximum where the caller is not known':
    'Solicitudes que quedan en la ventana; el máximo cuando no se sabe quién llama',
  'Unix timestamp in seconds when the window resets; a whole window from now where the caller is not known':
    'Marca de tiempo Unix, en segundos, en que la ventana se reinicia; una ventana completa desde ahora cuando no se sabe quién llama',
  'Maximum requests in the current window; the gateway itself answers without it':
    'Máximo de solicitudes en la ventana actual; el gateway mismo responde sin él',
  'Requests left in the window; the maximum where the caller is not known; the gateway itself answers without it':
    'Solicitudes que quedan en la ventana; el máximo cuando no se sabe quién llama; el gateway mismo responde sin él',
  'Unix timestamp in seconds when the window resets; a whole window from now where the caller is not known; the gateway itself answers without it':
    'Marca de tiempo Unix, en segundos, en que la ventana se reinicia; una ventana completa desde ahora cuando no se sabe quién llama; el gateway mismo responde sin él',
  'Seconds to wait': 'Segundos de espera',

  // Envelopes
  'Access token (JWT)': 'Token de acceso (JWT)',
  Empty: 'Vacío',
  'Human-readable text': 'Texto legible para personas',
  'Human-readable text, in Spanish': 'Texto legible para personas, en español',
  'Machine-readable code': 'Código legible por programas',
  'Every invalid property': 'Cada propiedad que no es válida',
  'Every invalid property of the item; present if the code is VALIDATION_ERROR':
    'Cada propiedad no válida del elemento; presente si el código es VALIDATION_ERROR',
  'Where it stands, such as `declarations[3].amount`': 'Dónde está, por ejemplo `declarations[3].amount`',
  'A message for each constraint that it breaks, by the name of the constraint':
    'Un mensaje por cada restricción que no cumple, según el nombre de la restricción',
  'Records matching the query after filters, before paging':
    'Registros que cumplen la consulta después de los filtros, antes de paginar',
  'Page size': 'Tamaño de la página',
  'Offset applied': 'Desplazamiento aplicado',

  // Invoices
  'Invoice identifier, digits only': 'Identificador de la factura, solo dígitos',
  'Invoice date-time, ISO 8601': 'Fecha y hora de la factura, ISO 8601',
  'Related service or task id': 'Id del servicio o de la tarea',
  'Service display number': 'Número visible del servicio',
  'When the service was requested, ISO 8601': 'Cuándo se solicitó el servicio, ISO 8601',
  'Account the service belongs to': 'Cuenta a la que pertenece el servicio',
  'Service city': 'Ciudad del servicio',
  'Amount calculated by the system': 'Importe calculado por el sistema',
  'Set when the supplier has already declared an amount': 'Presente cuando el prestador ya declaró un importe',
  'Amount declared by the supplier': 'Importe declarado por el prestador',
  'Notes on the declaration': 'Observaciones de la declaración',
  "Supplier's own invoice number": 'Número de factura del prestador',
  "Supplier's own invoice date, as it was sent": 'Fecha de la factura del prestador, tal como se envió',
  'Invoice state code': 'Código de estado de la factura',
  'Invoice state name, in Spanish': 'Nombre del estado de la factura, en español',
  'Declared minus system amount': 'Importe declarado menos importe del sistema',
  'Difference as a percentage of the system amount, 4 decimals':
    'Diferencia como porcentaje del importe del sistema, 4 decimales',
  'URL of the attached invoice file': 'URL del archivo adjunto de la factura',
  'Original file name of the attachment': 'Nombre original del archivo adjunto',
  'The page, newest first': 'La página, de la más nueva a la más antigua',
  'Line items': 'Conceptos',
  'Concept catalog id': 'Id del concepto en el catálogo',
  'Concept description': 'Descripción del concepto',
  'Amount per unit': 'Importe por unidad',
  Quantity: 'Cantidad',
  'Tax percentage applied': 'Porcentaje de impuesto aplicado',
  'Line total': 'Total del concepto',

  // Tolerance and declarations
  'PCT: percentage; ABS: absolute; AMB: both limits must hold; null: none applies':
    'PCT: porcentual; ABS: absoluta; AMB: deben cumplirse ambos límites; null: no se aplica ninguna',
  'Allowed percentage difference': 'Diferencia porcentual permitida',
  'Allowed absolute difference': 'Diferencia absoluta permitida',
  'Whether amounts within tolerance are approved automatically':
    'Si los importes dentro de la tolerancia se aprueban automáticamente',
  'Where the tolerance comes from: the supplier, the tenant, or nowhere':
    'De dónde surge la tolerancia: del prestador, del tenant o de ninguna parte',
  'Where the applied tolerance comes from: the supplier, the tenant, or nowhere':
    'De dónde surge la tolerancia aplicada: del prestador, del tenant o de ninguna parte',
  'Whether the amount is within tolerance': 'Si el importe está dentro de la tolerancia',
  'Declared (or submitted) minus system amount': 'Importe declarado (o enviado) menos importe del sistema',
  'Absolute difference': 'Diferencia absoluta',
  'Resulting action; REVIEW once the company has rejected or adjusted the invoice':
    'Acción resultante; REVIEW una vez que la empresa rechazó o ajustó la factura',
  'Declaration identifier; the same when the invoice is declared again':
    'Identificador de la declaración; es el mismo cuando la factura se declara de nuevo',
  'Amount now declared': 'Importe que queda declarado',
  'Resulting state: 1 PEN, 2 ENV, 3 APR, 4 REV, 5 REC, 6 AJU, 7 LIQ':
    'Estado resultante: 1 PEN, 2 ENV, 3 APR, 4 REV, 5 REC, 6 AJU, 7 LIQ',
  'Invoice checked': 'Factura verificada',
  'The submitted amount': 'El importe enviado',
  'One entry for each submitted item, in the submitted order':
    'Una entrada por cada elemento enviado, en el orden en que se enviaron',
  'Invoice of the item': 'Factura del elemento',
  'Items declared': 'Elementos declarados',
  'Items that failed': 'Elementos que fallaron',
};
