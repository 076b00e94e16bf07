/**
 * A request's body, whole.
 *
 * @param limit in bytes; what the header announces and what arrives are both held to it
 * @param tooLarge makes the error that is thrown over the limit, as soon as that is known
 */
export async function readBodyBytes(
  request: Request,
  limit: number,
  tooLarge: () => Error,
): Promise<Uint8Array<ArrayBuffer>> {
  const announced = Number(request.headers.get("content-length"));
  if (announced > limit) throw tooLarge();
  const { body } = request;
  if (body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > limit) throw tooLarge();
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
