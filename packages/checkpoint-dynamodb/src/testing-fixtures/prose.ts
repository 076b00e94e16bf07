/** Text that compresses about as English does, the same for the same seed. */

/** A small generator of numbers in [0, 1), for reproducible tests (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const SYLLABLES =
  "an ber con da ex fi gra hal in jo ka lo mi nor op pra qui re sta tion un ver wa ly ing ed est men ra to sh ce".split(
    " ",
  );

/** Four thousand words; the n-th is drawn about 1/n as often as the first, as in natural language. */
const WORDS = (() => {
  const random = seeded(1);
  const syllable = () => SYLLABLES[Math.floor(random() * SYLLABLES.length)];
  return Array.from({ length: 4000 }, () =>
    Array.from({ length: 1 + Math.floor(random() * 4) }, syllable).join(""),
  );
})();

export function prose(random: () => number, bytes: number): string {
  const words: string[] = [];
  for (let length = 0; length < bytes; length += (words.at(-1)?.length ?? 0) + 1)
    words.push(WORDS[Math.floor(WORDS.length ** random()) - 1] ?? "");
  return words.join(" ").slice(0, bytes);
}
