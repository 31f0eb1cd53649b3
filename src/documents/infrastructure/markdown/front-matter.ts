const FRONT_MATTER = /^---[ \t]*\n([\s\S]*?)\n(?:---|\.\.\.)[ \t]*(?:\n|$)/;
const LOOKS_LIKE_YAML = /^(?:\s*#.*\n|\s*\n)*(?:["'\w.$-][^\n:]*:(?:\s|$)|- )/;

/**
 * Cuts a YAML block between `---` lines at the very top off the text. It is shown as it is and
 * never parsed. A thematic break at the top with prose behind it is none.
 */
export function cutFrontMatter(markdown: string): { frontMatter: string | null; body: string } {
  const match = FRONT_MATTER.exec(markdown);
  if (match === null || !LOOKS_LIKE_YAML.test(match[1]!)) return { frontMatter: null, body: markdown };
  return { frontMatter: match[1]!, body: markdown.slice(match[0].length) };
}
