/** Saves a workbook under a name as a download of the browser. */
export function downloadWorkbook(name: string, bytes: Uint8Array): void {
  const url = URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>]));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${name}.xlsx`;
  link.click();
  // The browser needs the address until the file is saved, and does not report this.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
