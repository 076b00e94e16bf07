/** Compression of stored bytes. The first byte tells the codec, so that readers need no configuration. */
// As a namespace: Node before 22.15 has no zstd, and importing a name it lacks would fail.
import * as zlib from "node:zlib";

/** How bytes are compressed: `zstd` needs Node 22.15 or later, `gzip` and `none` work everywhere. */
export type Compression = "zstd" | "gzip" | "none";

const PLAIN = 0;
const GZIP = 1;
const ZSTD = 2;

/** DynamoDB bills items by whole kilobytes: what leaves half of the first free is not worth a codec's time. */
const WORTH_COMPRESSING = 512;

/**
 * Up to this size bytes are compressed by the codec's fastest level: a step waits for them, they are short-lived or
 * merged into something larger later, and the default level would take half again as long to save a twentieth.
 */
const FAST_BYTES = 64 * 1024;

/** What text usually shrinks to a part of: a first guess at the size of what is opened. */
const USUAL_RATIO = 4;

/** No value is larger; stops a damaged length from asking for all memory. */
const MOST_BYTES = 1024 * 1024 * 1024;

/** Bounds of a codec's output buffer; zlib takes no smaller one. */
const LEAST_CHUNK = 1024;
const LARGEST_CHUNK = 256 * 1024;

const FAST_ZSTD = { [zlib.constants.ZSTD_c_compressionLevel]: 1 };

/** The codec grows its output chunk by chunk: one that fits saves the copying. */
const chunkOf = (expected: number): number => Math.min(LARGEST_CHUNK, Math.max(LEAST_CHUNK, expected));

const hasZstd = typeof zlib.zstdCompressSync === "function";

/** The best the running Node offers. */
export const BEST_COMPRESSION: Compression = hasZstd ? "zstd" : "gzip";

/** @throws TypeError for `zstd` on a Node that has none */
export function assertCompression(compression: Compression): void {
  if (compression === "zstd" && !hasZstd)
    throw new TypeError(`compression "zstd" needs Node 22.15 or later; this is ${process.version}.`);
}

const tagged = (codec: number, bytes: Uint8Array): Uint8Array => {
  const out = Buffer.allocUnsafe(bytes.byteLength + 1);
  out[0] = codec;
  out.set(bytes, 1);
  return out;
};

/** Compresses, or keeps as they are, bytes that compression would not make smaller. */
export function compress(bytes: Uint8Array, compression: Compression): Uint8Array {
  if (compression !== "none" && bytes.byteLength >= WORTH_COMPRESSING) {
    // The output is smaller than the input, or is not used.
    const chunkSize = chunkOf(bytes.byteLength + 64);
    const fast = bytes.byteLength <= FAST_BYTES;
    const packed =
      compression === "zstd"
        ? zlib.zstdCompressSync(bytes, { chunkSize, ...(fast && { params: FAST_ZSTD }) })
        : zlib.gzipSync(bytes, { chunkSize, ...(fast && { level: zlib.constants.Z_BEST_SPEED }) });
    if (packed.byteLength < bytes.byteLength) return tagged(compression === "zstd" ? ZSTD : GZIP, packed);
  }
  return tagged(PLAIN, bytes);
}

/**
 * @param most the most bytes the result may have
 * @throws on anything `compress` did not write, or on more than `most` bytes
 */
export function decompress(stored: Uint8Array, most = MOST_BYTES): Uint8Array {
  const body = stored.subarray(1);
  const limit = {
    maxOutputLength: Math.max(1, most),
    chunkSize: chunkOf(most === MOST_BYTES ? body.byteLength * USUAL_RATIO : most),
  };
  switch (stored[0]) {
    case PLAIN:
      return body;
    case GZIP:
      return zlib.gunzipSync(body, limit);
    case ZSTD:
      if (!hasZstd) throw new Error(`It is compressed with zstd, which Node ${process.version} cannot read.`);
      return zlib.zstdDecompressSync(body, limit);
    default:
      throw new Error(`It starts with the unknown codec ${stored[0]}.`);
  }
}
