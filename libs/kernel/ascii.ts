import anyAscii from 'any-ascii';

/** Letters of any script in ASCII, as near as one can read them aloud: "Café 東京" becomes "Cafe DongJing". */
export function toAscii(text: string): string {
  return anyAscii(text.normalize('NFKD').replace(/\p{Mark}/gu, ''));
}
