import { createHighlighterCore, type HighlighterCore, type ThemeRegistration } from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';
import type { CodeToPaint, PaintedCode, Token, TokenClass } from './code-tokens';
import { grammarOf } from './languages';

// Colours stand for classes here; the sheet gives them their values in both themes.
const CLASS_OF: Readonly<Record<string, TokenClass>> = {
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

/** Longest time for one line, in ms; the rest of it then takes the colour of its beginning. A first line reads the grammar. */
const LINE_MS = 5_000;

let making: Promise<HighlighterCore> | null = null;

/** The tokens that have a colour, in order; null when the language is not known. */
async function tokensOf(code: string, language: string): Promise<Token[] | null> {
  const grammar = grammarOf(language);
  if (!grammar) return null;
  making ??= createHighlighterCore({
    themes: [THEME],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
  const highlighter = await making;
  if (!highlighter.getLoadedLanguages().includes(grammar.name)) await highlighter.loadLanguage(grammar.load);
  const { tokens } = highlighter.codeToTokens(code, {
    lang: grammar.name,
    theme: 'loupe',
    tokenizeTimeLimit: LINE_MS,
  });
  return tokens.flat().flatMap(({ offset, content, color }) => {
    const name = CLASS_OF[(color ?? '').toLowerCase()];
    return name ? [[offset, offset + content.length, name] as const] : [];
  });
}

// Reading a grammar takes a hundred milliseconds and more, which a page that is being read does not have.
self.addEventListener('message', ({ data: { id, code, language } }: MessageEvent<CodeToPaint>) => {
  tokensOf(code, language)
    .catch(() => null)
    .then((tokens) => self.postMessage({ id, tokens } satisfies PaintedCode));
});
