/** Bytes as text, or where they cease to be UTF-8 (line and column from 1, the column in UTF-16 units). */
export type Utf8Reading =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly line: number; readonly column: number };

/**
 * Reads UTF-8 strictly: nothing is replaced, and a byte order mark stays for the document's reader, so that a text
 * means the same here and in a file.
 */
export function readUtf8(bytes: Uint8Array): Utf8Reading {
  try {
    return { ok: true, text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { ok: false, ...placeAfter(textBeforeTheFault(bytes)) };
  }
}

/** The longest beginning that is UTF-8; a decoder says only that there is a fault, so it is closed in on. */
function textBeforeTheFault(bytes: Uint8Array): string {
  let sound = 0;
  let faulty = bytes.length + 1;
  while (faulty - sound > 1) {
    const middle = Math.floor((sound + faulty) / 2);
    if (beginsSoundly(bytes.subarray(0, middle))) sound = middle;
    else faulty = middle;
  }
  // As a stream, so that a sequence cut off at the end is left out.
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, sound), { stream: true });
}

function beginsSoundly(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

function placeAfter(text: string): { line: number; column: number } {
  const lines = text.split(/\r\n|\r|\n/);
  return { line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
}
