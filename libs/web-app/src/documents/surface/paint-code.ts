import { createHighlighterCore, type HighlighterCore, type ThemeRegistration } from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';
import { INVISIBLE, nameOfInvisible } from './invisible';
import { grammarOf } from './languages';

// Colours stand for classes here; the sheet gives them their values in both themes.
const CLASS_OF: Readonly<Record<string, string>> = {
  '#000001': 'tok-k',
  '#000002': 'tok-s',
  '#000003': 'tok-n',
  '#000004': 'tok-f',
  '#000005': 'tok-c',
};

const THEME: ThemeRegistration = {
  name: 'loupe',
  type: 'light',
  fg: '#000000',
  bg: '#ffffff',
  settings: [
    { settings: { foreground: '#000000' } },
    {
      scope: [
        'keyword',
        'storage',
        'storage.type',
        'constant.language',
        'variable.language',
        'markup.heading',
      ],
      settings: { foreground: '#000001' },
    },
    { scope: ['keyword.operator', 'storage.type.function.arrow'], settings: { foreground: '#000000' } },
    {
      scope: ['string', 'constant.other.symbol', 'markup.inserted', 'markup.inline.raw', 'string.regexp'],
      settings: { foreground: '#000002' },
    },
    {
      scope: ['constant.numeric', 'constant.character.escape', 'keyword.other.unit'],
      settings: { foreground: '#000003' },
    },
    {
      scope: [
        'entity.name',
        'support.function',
        'support.type.property-name',
        'meta.object-literal.key',
        'entity.other.attribute-name',
      ],
      settings: { foreground: '#000004' },
    },
    { scope: ['comment', 'punctuation.definition.comment'], settings: { foreground: '#000005' } },
  ],
};

let making: Promise<HighlighterCore> | null = null;

/** Coloured copy of code as elements whose text is exactly the code; null when the language is not known. */
export async function paintCode(code: string, language: string): Promise<DocumentFragment | null> {
  const grammar = grammarOf(language);
  if (!grammar) return null;
  making ??= createHighlighterCore({
    themes: [THEME],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
  try {
    const highlighter = await making;
    if (!highlighter.getLoadedLanguages().includes(grammar.name))
      await highlighter.loadLanguage(grammar.load);
    const { tokens } = highlighter.codeToTokens(code, { lang: grammar.name, theme: 'loupe' });
    const fragment = document.createDocumentFragment();
    let at = 0;
    for (const token of tokens.flat()) {
      // What stands between two tokens is a line end, kept as it was written.
      if (token.offset > at) fragment.append(code.slice(at, token.offset));
      const name = CLASS_OF[(token.color ?? '').toLowerCase()];
      if (name) {
        const span = document.createElement('span');
        span.className = name;
        span.textContent = token.content;
        fragment.append(span);
      } else fragment.append(token.content);
      at = token.offset + token.content.length;
    }
    if (at < code.length) fragment.append(code.slice(at));
    fragment.normalize();
    return fragment.textContent === code ? fragment : null;
  } catch {
    return null;
  }
}

/** Wraps invisible characters as the renderer does, so that the sheet shows them by name; the text stays. */
export function showInvisible(root: HTMLElement): void {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const found: Text[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (INVISIBLE.test((node as Text).data)) found.push(node as Text);
  }
  for (const text of found) {
    const parts = text.data.split(new RegExp(`(${INVISIBLE.source})`, 'u'));
    text.replaceWith(
      ...parts.filter(Boolean).map((part) => {
        if (part.length !== 1 || !INVISIBLE.test(part)) return document.createTextNode(part);
        const span = document.createElement('span');
        span.className = 'invisible-mark';
        span.dataset.codePoint = nameOfInvisible(part);
        span.textContent = part;
        return span;
      }),
    );
  }
}
