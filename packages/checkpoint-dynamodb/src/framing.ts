/** Byte layouts: a JSON skeleton followed by payloads, and typed frames one after another. */

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

export const utf8 = (text: string): Uint8Array => encoder.encode(text);
export const text = (bytes: Uint8Array): string => decoder.decode(bytes);

export function concat(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  const out = Buffer.allocUnsafe(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.byteLength;
  }
  return out;
}

/** Lays out a JSON value and the payloads it speaks of by their lengths. */
export function packSkeleton(skeleton: unknown, payloads: readonly Uint8Array[]): Uint8Array {
  const json = utf8(JSON.stringify(skeleton));
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, json.byteLength);
  return concat([length, json, ...payloads]);
}

/** Reads payloads one after another and refuses to read past the end. */
export class PayloadReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get done(): boolean {
    return this.#at === this.#bytes.byteLength;
  }

  take(length: number): Uint8Array {
    const end = this.#at + length;
    if (!Number.isInteger(length) || length < 0 || end > this.#bytes.byteLength)
      throw new Error(`It ends ${end - this.#bytes.byteLength} bytes too early.`);
    const part = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return part;
  }

  takeUint32(): number {
    const four = this.take(4);
    return new DataView(four.buffer, four.byteOffset, 4).getUint32(0);
  }
}

/** The reverse of `packSkeleton`. */
export function unpackSkeleton(bytes: Uint8Array): { skeleton: unknown; payload: PayloadReader } {
  const payload = new PayloadReader(bytes);
  const skeleton: unknown = JSON.parse(text(payload.take(payload.takeUint32())));
  return { skeleton, payload };
}

/** One serialized value with the name its serializer gave it, for example `json`. */
export interface Typed {
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** Serializers use a few type names for all values. */
const typeNames = new Map<string, Uint8Array>();

function typeName(type: string): Uint8Array {
  const known = typeNames.get(type);
  if (known !== undefined) return known;
  const name = utf8(type);
  if (name.byteLength > 255) throw new RangeError(`The serializer's type name is too long: ${type}`);
  if (typeNames.size < 100) typeNames.set(type, name);
  return name;
}

/** `<type length><type><length><bytes>`, so that frames can be told apart again when they are joined. */
export function frame({ type, bytes }: Typed): Uint8Array {
  const name = typeName(type);
  const out = Buffer.allocUnsafe(5 + name.byteLength + bytes.byteLength);
  out[0] = name.byteLength;
  out.set(name, 1);
  out.writeUInt32BE(bytes.byteLength, 1 + name.byteLength);
  out.set(bytes, 5 + name.byteLength);
  return out;
}

/** The frames that were joined. */
export function unframe(bytes: Uint8Array): Typed[] {
  const reader = new PayloadReader(bytes);
  const frames: Typed[] = [];
  while (!reader.done) {
    const type = text(reader.take(reader.take(1)[0] ?? 0));
    frames.push({ type, bytes: reader.take(reader.takeUint32()) });
  }
  return frames;
}
