/**
 * Compares two strings as S3 orders keys: by the bytes of their UTF-8. JavaScript compares UTF-16 units, which
 * puts the surrogates of the characters beyond U+FFFF before U+E000 to U+FFFF; there alone the orders differ.
 */
export function compareUtf8(left: string, right: string): number {
  const shared = Math.min(left.length, right.length);
  for (let at = 0; at < shared; at++) {
    const a = left.charCodeAt(at);
    const b = right.charCodeAt(at);
    if (a !== b) return rank(a) - rank(b);
  }
  return left.length - right.length;
}

function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
