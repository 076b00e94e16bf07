/** Byte layouts: a JSON skeleton followed by payloads, and typed frames one after another. */

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

export const utf8 = (text: string): Uint8Array => encoder.encode(text);
export const text = (bytes: Uint8Array): string => decoder.decode(bytes);

/** The parts as one, without copying where they follow each other in one buffer already. */
export function concat(parts: readonly Uint8Array[]): Uint8Array {
  const [first] = parts;
  if (first !== undefined && areAdjoining(parts))
    return new Uint8Array(first.buffer, first.byteOffset, lengthOf(parts));
  return copyOf(parts);
}

const lengthOf = (parts: readonly Uint8Array[]): number =>
  parts.reduce((sum, part) => sum + part.byteLength, 0);

function areAdjoining(parts: readonly Uint8Array[]): boolean {
  let end = parts[0]?.byteOffset;
  for (const part of parts) {
    if (part.buffer !== parts[0]?.buffer || part.byteOffset !== end) return false;
    end += part.byteLength;
  }
  return true;
}

function copyOf(parts: readonly Uint8Array[]): Uint8Array {
  const out = Buffer.allocUnsafe(lengthOf(parts));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.byteLength;
  }
  return out;
}

/**
 * Lays out a JSON text and the payloads it speaks of by their lengths.
 * @param skeleton the JSON text
 */
export function packSkeleton(skeleton: string, payloads: readonly Uint8Array[]): Uint8Array {
  const jsonLength = Buffer.byteLength(skeleton);
  const out = Buffer.allocUnsafe(4 + jsonLength + lengthOf(payloads));
  out.writeUInt32BE(jsonLength);
  let at = 4 + out.write(skeleton, 4);
  for (const payload of payloads) {
    out.set(payload, at);
    at += payload.byteLength;
  }
  return out;
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
export function frame(typed: Typed): Uint8Array {
  const out = Buffer.allocUnsafe(frameLength(typed));
  writeFrame(out, 0, typed);
  return out;
}

/** The frame of each, one after another in one buffer: they are joined without being copied again. */
export function frameAll(all: readonly Typed[]): Uint8Array[] {
  const out = Buffer.allocUnsafe(all.reduce((sum, typed) => sum + frameLength(typed), 0));
  let at = 0;
  return all.map((typed) => {
    const from = at;
    at = writeFrame(out, from, typed);
    return out.subarray(from, at);
  });
}

/** The same parts in a buffer of their own, so that keeping them keeps nothing else. */
export function detached(parts: readonly Uint8Array[]): Uint8Array[] {
  const own = copyOf(parts);
  let at = 0;
  return parts.map(({ byteLength }) => {
    at += byteLength;
    return own.subarray(at - byteLength, at);
  });
}

const frameLength = ({ type, bytes }: Typed): number => 5 + typeName(type).byteLength + bytes.byteLength;

/** @returns where the frame ends */
function writeFrame(out: Buffer, at: number, { type, bytes }: Typed): number {
  const name = typeName(type);
  out[at] = name.byteLength;
  out.set(name, at + 1);
  out.writeUInt32BE(bytes.byteLength, at + 1 + name.byteLength);
  out.set(bytes, at + 5 + name.byteLength);
  return at + 5 + name.byteLength + bytes.byteLength;
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
