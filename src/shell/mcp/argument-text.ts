/**
 * The JSON of one argument of a call as the client wrote it: numbers, escapes and the order of keys as they came, only
 * without white space between them. JavaScript objects put keys that look like whole numbers first, so an order that
 * must be kept cannot be read from them.
 * @param body a JSON-RPC request that JSON.parse has read
 * @returns null when the request has no such argument
 */
export function argumentText(body: string, argument: string): string | null {
  const params = memberOf(body, 0, 'params');
  const given = params === null ? null : memberOf(body, params, 'arguments');
  const start = given === null ? null : memberOf(body, given, argument);
  return start === null ? null : withoutSpace(body.slice(start, endOfValue(body, start)));
}

const STRINGS_AND_SPACE = /("[^"\\]*(?:\\.[^"\\]*)*")|[ \t\r\n]+/g;

function withoutSpace(json: string): string {
  return json.replace(STRINGS_AND_SPACE, (_, string: string | undefined) => string ?? '');
}

/** Where the value of a key begins in the object that begins at or after `at`; the last one of a repeated key. */
function memberOf(json: string, at: number, key: string): number | null {
  let place = afterSpace(json, at);
  if (json[place] !== '{') return null;
  let found: number | null = null;
  place = afterSpace(json, place + 1);
  while (json[place] === '"') {
    const end = endOfString(json, place);
    const name = JSON.parse(json.slice(place, end)) as string;
    const value = afterSpace(json, afterSpace(json, end) + 1);
    if (name === key) found = value;
    place = afterSpace(json, endOfValue(json, value));
    if (json[place] !== ',') break;
    place = afterSpace(json, place + 1);
  }
  return found;
}

function afterSpace(json: string, at: number): number {
  let place = at;
  while (json[place] === ' ' || json[place] === '\n' || json[place] === '\r' || json[place] === '\t') {
    place += 1;
  }
  return place;
}

function endOfString(json: string, at: number): number {
  let place = at + 1;
  while (place < json.length && json[place] !== '"') place += json[place] === '\\' ? 2 : 1;
  return place + 1;
}

function endOfValue(json: string, at: number): number {
  let place = at;
  let depth = 0;
  while (place < json.length) {
    const character = json[place]!;
    if (character === '"') {
      place = endOfString(json, place);
      if (depth === 0) return place;
      continue;
    }
    if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      if (depth === 0) return place;
      depth -= 1;
      if (depth === 0) return place + 1;
    } else if (depth === 0 && (character === ',' || character <= ' ')) return place;
    place += 1;
  }
  return place;
}
