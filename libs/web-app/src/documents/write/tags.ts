/** Tags typed in one field, parted by commas; blank ones and repeats go. */
export function splitTags(text: string): string[] {
  const tags = text.split(/[,;\n]/u).map((tag) => tag.replace(/\s+/gu, ' ').trim().toLowerCase());
  return [...new Set(tags.filter(Boolean))];
}
