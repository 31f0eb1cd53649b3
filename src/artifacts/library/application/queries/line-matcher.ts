import { RE2JS } from 're2js';
import { DomainError } from '#libs/kernel/errors.js';

/** Counts how often a line holds what is searched; one call takes time linear in the line. */
export type LineMatcher = (line: string) => number;

export interface Search {
  readonly query: string;
  readonly regex: boolean;
  readonly caseSensitive: boolean;
}

/** @throws DomainError `invalid` for an expression that the engine does not know: look-around, back-references. */
export function lineMatcher({ query, regex, caseSensitive }: Search): LineMatcher {
  if (!regex) return wordMatcher(query, caseSensitive);
  const expression = compiled(query, caseSensitive);
  return (line) => {
    const matcher = expression.matcher(line);
    let count = 0;
    while (matcher.find()) {
      count += 1;
      // An expression that fits the empty text fits everywhere: once a line is what a reader wants.
      if (matcher.end() === matcher.start()) break;
    }
    return count;
  };
}

function wordMatcher(query: string, caseSensitive: boolean): LineMatcher {
  const wanted = caseSensitive ? query : query.toLowerCase();
  return (line) => {
    const text = caseSensitive ? line : line.toLowerCase();
    let count = 0;
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) count += 1;
    return count;
  };
}

function compiled(query: string, caseSensitive: boolean): RE2JS {
  try {
    return RE2JS.compile(query, caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE);
  } catch (error) {
    const why =
      error instanceof Error ? error.message.replace('error parsing regexp: ', '') : 'it cannot be read';
    throw new DomainError('invalid', 'invalid', `query is not a supported regular expression: ${why}`, {
      argument: 'query',
    });
  }
}
