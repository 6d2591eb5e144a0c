/** The texts of the document about the service and its operations: English, and the same in Spanish. */
export const OPERATION_TEXTS: Readonly<Record<string, string>> = {
  'Supplier Portal Invoice Service': 'Servicio de facturas del portal de prestadores',
  'Suppliers list and open their own invoices, and declare the amounts they bill.':
    'Los prestadores consultan sus propias facturas y declaran los importes que facturan.',
  'The service on your own machine (`npm start`)': 'El servicio en su propia máquina (`npm start`)',
  'A deployed service, at the address that you were given at onboarding; it may have a path, such as `/live`':
    'Un servicio desplegado, en la dirección que recibió en el alta; puede tener una ruta, como `/live`',

  Session: 'Sesión',
  'From e-mail and password to an access token.': 'Del correo electrónico y la contraseña al token de acceso.',
  Invoices: 'Facturas',
  'What the service knows of the invoices of the supplier behind the token.':
    'Lo que el servicio sabe de las facturas del prestador al que pertenece el token.',
  Declarations: 'Declaraciones',
  'The amounts that the supplier bills, and what becomes of them.':
    'Los importes que el prestador factura y qué resulta de ellos.',
  Legacy: 'Protocolo anterior',
  'The same invoices, rules, permissions and limits in the form of the legacy protocol, under names of our own.':
    'Las mismas facturas, reglas, permisos y límites en la forma del protocolo anterior, con nombres nuestros.',

  'Log in and receive an access token': 'Iniciar sesión y recibir un token de acceso',
  'The token is valid for 1 hour. There is no refresh token: log in again. 5 failed attempts within 30 seconds lock the source address out for 60 seconds. In each window of 4 hours (UTC) an account allows 10 failures from each address and 100 from all addresses; then it is locked for that address, or for all addresses, until the window ends. Addresses from which it has logged in within 30 days are trusted, and it is never locked for them. While an address is locked out, every attempt is rejected, a malformed one too. These 429 have no X-RateLimit headers. An API key is not needed and is ignored.':
    'El token es válido por 1 hora. No hay token de renovación: inicie sesión de nuevo. 5 intentos fallidos en 30 segundos bloquean la dirección de origen por 60 segundos. En cada ventana de 4 horas (UTC) una cuenta admite 10 intentos fallidos desde cada dirección y 100 desde todas; después queda bloqueada para esa dirección, o para todas, hasta que termina la ventana. Las direcciones desde las que inició sesión en los últimos 30 días son de confianza, y la cuenta nunca se bloquea para ellas. Mientras una dirección está bloqueada, se rechaza cada intento, también uno mal formado. Esos 429 no llevan encabezados X-RateLimit. La clave de API no hace falta y se ignora.',
  "List the supplier's invoices of a date range, newest first":
    'Listar las facturas del prestador en un rango de fechas, de la más nueva a la más antigua',
  'Filters apply before paging, and `meta.total` counts the filtered records. The order is fixed: date, then id, newest first. The date of an invoice is its `invoice_date`, else its `service_call_date`, else when it was recorded. The range may not exceed 93 days. Empty optional parameters count as not sent.':
    'Los filtros se aplican antes de paginar, y `meta.total` cuenta los registros filtrados. El orden es fijo: fecha y después id, de la más nueva a la más antigua. La fecha de una factura es su `invoice_date`; si falta, su `service_call_date`; si también falta, el momento en que se registró. El rango no puede superar los 93 días. Los parámetros opcionales vacíos cuentan como no enviados.',
  'Open one invoice with its concepts': 'Consultar una factura con sus conceptos',
  'An invoice of another supplier is answered like one that does not exist.':
    'Una factura de otro prestador se responde como una que no existe.',
  'Declare the amount of one invoice, or change what was declared':
    'Declarar el importe de una factura, o cambiar lo declarado',
  'An upsert: declaring again replaces what is sent, clears the texts and the date that are sent empty, and keeps the optional fields that are not sent, or are null; what changes nothing is answered the same, and not written. A settled invoice (LIQ) cannot be declared. Once the company has rejected or adjusted the invoice (REC, AJU), nothing is approved automatically until it changes the state. After a 500 its message says whether the outcome is known; to declare again does no harm.':
    'Crea o actualiza: declarar de nuevo reemplaza lo que se envía, borra los textos y la fecha que se envían vacíos, y conserva los campos opcionales que no se envían o son null; lo que no cambia nada se responde igual y no se escribe. Una factura liquidada (LIQ) no puede declararse. Una vez que la empresa rechazó o ajustó la factura (REC, AJU), nada se aprueba automáticamente hasta que ella cambie el estado. Después de un 500, su mensaje dice si se conoce el resultado; declarar de nuevo no causa problemas.',
  'Declare up to 100 amounts independently of each other': 'Declarar hasta 100 importes, cada uno por separado',
  'Items are processed independently: the status is 200 even if some or all items fail, and `results` contains one entry per item. An item with an invalid property is rejected with VALIDATION_ERROR, and its `details` name every invalid property; the other items are declared. If an item fails with INTERNAL_ERROR, its message says whether it was saved. It is safe to send it again. An item that changes nothing returns the same result and is not saved again. The whole request is rejected with 400 only if `declarations` is missing, is not an array, is empty, has more than 100 items, or has an item that is not an object with a string `invoice_id`.':
    'Los elementos se procesan por separado: el estado es 200 aunque fallen algunos o todos, y `results` contiene una entrada por elemento. Un elemento con una propiedad no válida se rechaza con VALIDATION_ERROR, y su `details` nombra cada propiedad no válida; los demás elementos se declaran. Si un elemento falla con INTERNAL_ERROR, su mensaje indica si se guardó. Se puede enviar de nuevo sin riesgo. Un elemento que no cambia nada devuelve el mismo resultado y no se guarda otra vez. La solicitud completa se rechaza con 400 solo si `declarations` falta, no es una lista, está vacía, tiene más de 100 elementos, o tiene un elemento que no es un objeto con un `invoice_id` de texto.',
  'Check an amount against the tolerance, without writing anything':
    'Verificar un importe contra la tolerancia, sin escribir nada',
  'Nothing is written; the answer is what a declaration of the amount would come to. A settled invoice (LIQ) is refused, as a declaration would be.':
    'No se escribe nada; la respuesta es lo que resultaría de declarar el importe. Una factura liquidada (LIQ) se rechaza, como se rechazaría una declaración.',
  'Permission: `APICLI_PORTALPROVEEDOR_READ`. Limit: 30 reads in 60 seconds, per tenant and user.':
    'Permiso: `APICLI_PORTALPROVEEDOR_READ`. Límite: 30 lecturas en 60 segundos, por tenant y usuario.',
  'Permission: `APICLI_PORTALPROVEEDOR_WRITE`. Limit: 10 writes in 60 seconds, per tenant and user.':
    'Permiso: `APICLI_PORTALPROVEEDOR_WRITE`. Límite: 10 escrituras en 60 segundos, por tenant y usuario.',

  "WSListarFacturas: list the supplier's invoices of a date range, newest first":
    'WSListarFacturas: listar las facturas del prestador en un rango de fechas, de la más nueva a la más antigua',
  'WSObtenerFactura: open one invoice with its concepts': 'WSObtenerFactura: consultar una factura con sus conceptos',
  'WSDeclararFactura: declare the amount of one invoice, or change what was declared':
    'WSDeclararFactura: declarar el importe de una factura, o cambiar lo declarado',
  'WSDeclararFacturas: declare up to 100 amounts independently of each other':
    'WSDeclararFacturas: declarar hasta 100 importes, cada uno por separado',
  'WSValidarFactura: check an amount against the tolerance, without writing anything':
    'WSValidarFactura: verificar un importe contra la tolerancia, sin escribir nada',
  'The names of the operations and of their fields are those of this service: those of the legacy protocol are not known to it, so a client must expect to change them. The tenant comes from the key (`Guid`). The body is read as JSON whatever its Content-Type is, the name of the operation in capital or small letters, and an `IdFactura` also as a whole number up to 9007199254740991. An error that a client can mend has status 200, `Exito: false` and a code of the current interface; 429, 500 and 503 keep their status, and what the gateway answers by itself has the form of the current interface. An unknown operation is 404.':
    'Los nombres de las operaciones y de sus campos son los de este servicio: los del protocolo anterior no se conocen, de modo que un cliente debe prever que tendrá que cambiarlos. El tenant surge de la clave (`Guid`). El cuerpo se lee como JSON sea cual sea su Content-Type, el nombre de la operación en mayúsculas o minúsculas, y un `IdFactura` también como número entero hasta 9007199254740991. Un error que el cliente puede corregir tiene estado 200, `Exito: false` y un código de la interfaz actual; 429, 500 y 503 conservan su estado, y lo que el gateway responde por sí mismo tiene la forma de la interfaz actual. Una operación desconocida es 404.',
};
