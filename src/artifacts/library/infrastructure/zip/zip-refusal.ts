import { DomainError } from '#libs/kernel/errors.js';

const SHOWN_CHARACTERS = 120;

/** Refuses a whole archive because of one of its entries. */
export function entryRefused(name: string, why: string): DomainError {
  return refusal(`The zip was refused because of its entry ${shown(name)}: it ${why}. Nothing was stored.`);
}

/** Refuses an archive as a whole. */
export function archiveRefused(why: string): DomainError {
  return refusal(`The zip was refused: ${why}. Nothing was stored.`);
}

function refusal(sentence: string): DomainError {
  return new DomainError('invalid', 'archive', sentence, { argument: 'zipUploadId' });
}

/** A name as it can be printed: quoted, cut, with everything invisible written out. */
function shown(name: string): string {
  const cut = name.length > SHOWN_CHARACTERS ? `${name.slice(0, SHOWN_CHARACTERS)}…` : name;
  const visible = cut.replace(
    /[\p{C}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`,
  );
  return `"${visible}"`;
}
