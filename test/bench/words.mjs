/** Words as texts have them: few are common, most are rare; each seed gives its own text, again and again the same. */
export function wordsOf(seed, count) {
  let state = seed * 2_654_435_761;
  const next = () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return (state >>> 0) / 4_294_967_296;
  };
  const words = Array.from({ length: count }, () => `word${Math.floor(4_000 * next() ** 3)}`);
  words.push(`rare${seed % 997}`);
  return words.join(' ');
}
