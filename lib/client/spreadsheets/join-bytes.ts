/** Joins chunks of bytes, and of text in UTF-8. */
export async function joinBytes(chunks: readonly (Uint8Array | string)[]): Promise<Uint8Array> {
  // The cast is sound, because no chunk is in memory that threads share.
  const blob = new Blob(chunks as (Uint8Array<ArrayBuffer> | string)[]);
  return new Uint8Array(await blob.arrayBuffer());
}
