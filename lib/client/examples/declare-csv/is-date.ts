const DATE = /^\d{4}-\d{2}-\d{2}/;
const TIME = /^T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d([.,]\d{1,9})?)?(Z|[+-]([01]\d|2[0-3])(:?[0-5]\d)?)?$/;

/** Whether the text is an ISO 8601 date or date-time, of a day that exists. */
export function isDate(text: string): boolean {
  const [day = ''] = DATE.exec(text) ?? [];
  const time = text.slice(day.length);
  return dayExists(day) && (time === '' || TIME.test(time));
}

function dayExists(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  // 30 February is read as a day of March.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(`${day}T`);
}
