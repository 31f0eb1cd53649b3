import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { applicationRoot } from '#libs/configuration/application-root.js';
import { GuideLibrary } from './guide-library.js';

const ADDRESS = 'https://loupe.acme.example';

const markupOf = (library: GuideLibrary, name: string): string =>
  library
    .page(name)
    .map((part) => ('insert' in part ? `[${part.insert}]` : part.markup))
    .join('');

describe('the guides of this release', () => {
  let library: GuideLibrary;

  beforeAll(async () => {
    library = await GuideLibrary.open(join(applicationRoot, 'docs'), ADDRESS);
  });

  it('platform 13: has the pages that the product promises', () => {
    const names = library.guides.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        'getting-started',
        'mcp',
        'connected-apps',
        'documents',
        'board',
        'artifacts',
        'cli',
        'teams',
        'account',
        'search',
        'keys',
        'admin',
        'flags',
        'environment',
        'operating',
      ]),
    );
    expect(new Set(names).size).toBe(names.length);
  });

  it('says in one sentence what each guide is for', () => {
    expect(library.guides.filter(({ about }) => !/^\S.*\.$/.test(about)).map(({ name }) => name)).toEqual([]);
  });

  it('has no link or picture that leads nowhere', () => {
    expect(library.brokenTargets()).toEqual([]);
  });

  it('speaks of this instance and of no example', () => {
    for (const { name } of library.guides)
      expect(markupOf(library, name)).not.toContain('https://loupe.example.com');
    expect(markupOf(library, 'mcp')).toContain(`claude mcp add --transport http loupe ${ADDRESS}/mcp`);
  });

  it('fills in nothing but what the server knows', () => {
    const inserts = library.guides.flatMap(({ name }) =>
      library.page(name).flatMap((part) => ('insert' in part ? [`${name} ${part.insert}`] : [])),
    );
    expect(inserts.filter((insert) => !insert.endsWith(' sections'))).toEqual(['mcp tools']);
  });

  it('finds guides by words of their titles first, then by those of their sections', () => {
    const found = library.search('KEYS');
    expect(found[0]!.guide.name).toBe('keys');
    expect(found.map(({ guide }) => guide.name)).toContain('documents');
    expect(library.search('documents verdict')).toEqual([]);
    expect(library.search('verdict')[0]).toMatchObject({
      guide: { name: 'documents' },
      headings: [{ id: 'the-verdict', text: 'The verdict' }],
    });
    expect(library.search('   ')).toEqual([]);
  });

  it('guesses what somebody meant whose address is none', () => {
    expect(library.near('environment-variable').map(({ name }) => name)).toContain('environment');
    expect(library.near('zzz')).toEqual([]);
  });
});

describe('a folder of guides', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'loupe-guides-'));
    await put(
      'README.md',
      '# All\n\n## First\n\n- [B](using/b.md): About b.\n- [Gone](using/gone.md): Not here.\n',
    );
    await put('using/b.md', '# B\n\nSee [a](a.md#part-one) and ![shot](../images/shot.png).\n');
    await put(
      'using/a.md',
      '# A `code`\n\nWhat it\nis. And more.\n\n## Part one\n\n## Part one\n\n| H | I |\n|---|---|\n| x | y |\n',
    );
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function put(path: string, text: string): Promise<void> {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }

  const open = () => GuideLibrary.open(folder, ADDRESS);

  it('orders them as the contents do, and forgets none that they do not name', async () => {
    const { groups, unlisted } = await open();
    expect(groups.map(({ title, guides }) => [title, guides.map(({ name }) => name)])).toEqual([
      ['First', ['b']],
      ['Using Loupe', ['a']],
    ]);
    expect(unlisted.map(({ name, about }) => [name, about])).toEqual([['a', 'What it is.']]);
    expect(groups[0]!.guides[0]!.about).toBe('About b.');
  });

  it('turns links between files into links between pages, and names those that lead nowhere', async () => {
    const library = await open();
    expect(markupOf(library, 'b')).toContain('<a href="/docs/a#part-one">a</a>');
    expect(markupOf(library, 'b')).toContain('and shot.');
    expect(library.brokenTargets()).toEqual(['README.md: using/gone.md', 'using/b.md: ../images/shot.png']);
  });

  it('gives headings the ids that GitHub gives them, and cells the names of their columns', async () => {
    const page = markupOf(await open(), 'a');
    expect(page).toContain('<h2 id="part-one">');
    expect(page).toContain('<h2 id="part-one-1">');
    expect(page).toContain('<td data-label="I">y</td>');
  });

  it('lets no markup and no script through', async () => {
    await put(
      'using/a.md',
      '# A\n\n<script>x</script><img src=x onerror=x>\n\n[x](javascript:alert(1)) ![y](https://elsewhere.example/p.png) <b onclick=x>b</b>\n\n<!-- nothing -->\n',
    );
    const page = markupOf(await open(), 'a');
    expect(page).not.toMatch(/script|onerror|onclick|<img|elsewhere/);
  });

  it('refuses two guides of one name, and one without a title', async () => {
    await put('operating/a.md', '# Another\n');
    await expect(open()).rejects.toThrow('Two guides have the name a.');
    await rm(join(folder, 'operating'), { recursive: true });
    await put('using/c.md', 'No title.\n');
    await expect(open()).rejects.toThrow('using/c.md');
  });
});
