const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const FORM = new RegExp(`^[${LETTERS}]{8}$`);

/** The eight letters of a typed code; case, spaces and dashes do not matter. Null when it cannot be a code. */
export function normalUserCode(typed: string): string | null {
  const letters = typed.toUpperCase().replace(/[\s\u2010-\u2015_.-]/g, '');
  return FORM.test(letters) ? letters : null;
}

/** As it is shown: `BCDF-GHJK`. */
export function shownUserCode(code: string): string {
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}
