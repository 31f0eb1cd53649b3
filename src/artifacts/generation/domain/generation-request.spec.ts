import { InvalidInput } from '#libs/kernel/errors.js';
import { type GivenGeneration, identityOf, readGenerationRequest } from './generation-request.js';

function sentences(given: GivenGeneration): string[] {
  try {
    readGenerationRequest(given);
    return [];
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    return error.problems.map((problem) => problem.sentence);
  }
}

const figma = { type: 'f2c', fileKey: 'abcDEF123', nodesId: ['1:2'] } as const;
const page = { type: 'l2c', url: 'https://example.com/' } as const;
const prompt = { type: 'p2c', prompt: 'A page' } as const;

describe('the arguments of a generation', () => {
  it('get their defaults', () => {
    expect(readGenerationRequest({ type: 'p2c', prompt: '  A page\r\nwith two lines ' })).toEqual({
      type: 'p2c',
      artifactType: 'app',
      prompt: 'A page\nwith two lines',
      guidelines: null,
      url: null,
      fileKey: null,
      nodesId: [],
      framework: 'html',
      styling: 'tailwind',
      language: null,
      uiLibrary: null,
    });
  });

  it.each<[GivenGeneration, string[]]>([
    [{ type: 'p2c' }, ['prompt is required for type p2c.']],
    [{ type: 'p2c', prompt: '  ' }, ['prompt is required for type p2c.']],
    [{ type: 'p2c', prompt: 'x'.repeat(20_001) }, ['prompt must be at most 20000 characters.']],
    [{ ...prompt, guidelines: 'x'.repeat(20_001) }, ['guidelines must be at most 20000 characters.']],
    [{ type: 'p2c', prompt: 'a\0b' }, ['prompt must be valid text without NUL characters.']],
    [{ ...page, prompt: 'x' }, ['prompt is only valid for type p2c.']],
    [
      { ...prompt, url: 'https://a.example', fileKey: 'a', nodesId: ['1:2'], files: {}, zipUploadId: 'x' },
      [
        'files is only valid for type import.',
        'zipUploadId is only valid for type import.',
        'url is only valid for type l2c.',
        'fileKey is only valid for type f2c.',
        'nodesId is only valid for type f2c.',
      ],
    ],
    [{ ...prompt, uiLibrary: 'shadcn' }, ['uiLibrary is only valid for type l2c or f2c.']],
    [{ ...page, uiLibrary: 'shadcn' }, ['uiLibrary applies only when framework is react.']],
    [{ ...page, framework: 'react', uiLibrary: 'mui' }, ['uiLibrary must be shadcn for type l2c.']],
    [
      { ...figma, framework: 'react', uiLibrary: 'x' },
      ['uiLibrary must be mui, antd, shadcn or clean_react for type f2c.'],
    ],
    [
      { ...page, styling: 'css' },
      ['styling css is not supported for type l2c; use tailwind, inline_styles or vanilla_css.'],
    ],
    [{ ...figma, styling: 'css_modules' }, ['styling css_modules applies only when framework is react.']],
    [{ ...prompt, framework: 'vue' }, ['framework must be html or react.']],
    [
      { ...prompt, artifactType: 'markdown', framework: 'html' },
      ['framework does not apply to artifactType markdown.'],
    ],
    [{ ...page, artifactType: 'markdown' }, ['artifactType must be app for type l2c.']],
    [{ ...prompt, artifactType: 'asset' }, ['artifactType must be app or markdown for type p2c.']],
    [{ type: 'l2c' }, ['url is required for type l2c.']],
    [{ type: 'l2c', url: 'example.com' }, ['url must be a public http or https address.']],
    [
      { type: 'l2c', url: `https://a.example/${'x'.repeat(2_048)}` },
      ['url must be at most 2048 characters.'],
    ],
    [{ ...figma, fileKey: '../x' }, ['fileKey must be the key of a Figma file, or its address.']],
    [{ ...figma, nodesId: [] }, ['nodesId is required for type f2c: name 1 to 20 nodes such as 12:34.']],
    [{ ...figma, nodesId: ['1:2', 'x'] }, ['nodesId[1] must be of the form 12:34.']],
    [{ ...figma, nodesId: Array(21).fill('1:2') }, ['nodesId must have at most 20 nodes.']],
    [{ ...figma, framework: 'react', language: 'rust' }, ['language must be typescript or javascript.']],
  ])('artifacts 15.17: %j is refused by name', (given, expected) => {
    expect(sentences(given)).toEqual(expected);
  });

  it.each([
    ['https://www.figma.com/design/abcDEF123/My-file?node-id=1-2', 'abcDEF123'],
    ['https://www.figma.com/file/abcDEF123', 'abcDEF123'],
    ['https://figma.com/design/abc/branch/def9/x', 'def9'],
    ['abcDEF123', 'abcDEF123'],
  ])('takes the key of the Figma file from %s', (fileKey, key) => {
    expect(readGenerationRequest({ ...figma, fileKey }).fileKey).toBe(key);
  });

  it('rewrites node ids as addresses have them, and drops repeats', () => {
    expect(readGenerationRequest({ ...figma, nodesId: ['12-34', '12:34', '1:2'] }).nodesId).toEqual([
      '12:34',
      '1:2',
    ]);
  });

  it('leaves out what a type has no use for', () => {
    expect(readGenerationRequest({ ...page, language: 'rust' }).language).toBeNull();
    expect(readGenerationRequest({ ...page, framework: 'react', language: 'javascript' }).language).toBe(
      'typescript',
    );
    expect(readGenerationRequest({ ...prompt, artifactType: 'markdown', styling: 'x' }).styling).toBeNull();
    expect(readGenerationRequest({ ...page, url: ' HTTPS://Example.COM:443/a#b ' }).url).toBe(
      'https://example.com/a',
    );
  });

  it('null counts as absent', () => {
    expect(sentences({ ...page, prompt: null, styling: null, framework: null, uiLibrary: null })).toEqual([]);
  });
});

describe('the identity of a request', () => {
  const identity = (given: GivenGeneration, workspace = 'w') =>
    identityOf('p', workspace, readGenerationRequest(given));

  it('is equal for equal requests after defaults', () => {
    expect(identity(prompt)).toBe(identity({ ...prompt, styling: 'tailwind', framework: 'html' }));
    expect(identity(page)).toBe(identity({ ...page, url: 'https://EXAMPLE.com#top' }));
    expect(identity({ ...figma, nodesId: ['1:2', '3:4'] })).toBe(
      identity({ ...figma, nodesId: ['3-4', '1-2'] }),
    );
  });

  it('differs with anything that changes the result', () => {
    const all = [
      identity(prompt),
      identity(prompt, 'other'),
      identity({ ...prompt, prompt: 'Another' }),
      identity({ ...prompt, guidelines: 'Blue' }),
      identity({ ...prompt, framework: 'react' }),
      identity({ ...prompt, framework: 'react', language: 'javascript' }),
      identity({ ...prompt, styling: 'css' }),
      identity({ ...prompt, artifactType: 'markdown' }),
    ];
    expect(new Set(all).size).toBe(all.length);
  });
});
