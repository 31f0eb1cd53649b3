import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applicationRoot } from '#libs/configuration/application-root.js';
import { collectFiles } from '../push/collect-files.js';
import { bytesOf, madeFile, type PushFile } from '../push/push-file.js';
import { canvasRuntime } from '../testing/canvas-runtime.js';
import { compileCanvases } from './compile-canvases.js';
import type { Limits } from './first-render.js';
import type { RuntimeTexts } from './runtime-texts.js';

const SHOP = join(applicationRoot, 'libs', 'cli', 'testing', 'canvases', 'shop');

describe('the canvas compiler', () => {
  let runtime: RuntimeTexts;

  beforeAll(() => {
    runtime = canvasRuntime();
  });

  const compile = async (
    files: readonly PushFile[],
    options: { keepSource?: boolean; limits?: Limits } = {},
  ) => {
    const set = await compileCanvases(files, { keepSource: false, root: '', runtime, ...options });
    const entries = await Promise.all(
      set.files.map(async (file) => [file.path, (await bytesOf(file)).toString()] as const),
    );
    return { texts: Object.fromEntries(entries) as Record<string, string>, warnings: set.warnings };
  };
  const canvas = (template: string, logic = '', props = '') =>
    `<!doctype html>\n<html><head><script src="./support.js"></script></head>\n<body>\n<x-dc>\n${template}\n</x-dc>\n${logic === '' ? '' : `<script type="text/x-dc" data-dc-script data-props='${props}'>\n${logic}\n</script>`}\n</body></html>\n`;
  const vals = (body: string) =>
    `class Component extends DCLogic {\n  renderVals() {\n    return ${body};\n  }\n}`;
  const first = async (template: string, values = '{}') => {
    const { texts } = await compile([madeFile('A.dc.html', canvas(template, vals(values)))]);
    return /<div id="canvas-root"[^>]*>([\s\S]*)<\/div>\n<script/.exec(texts['A.html']!)![1]!.trim();
  };
  const refusal = async (files: readonly PushFile[], limits?: Limits): Promise<string> => {
    const error = await compile(files, { limits }).catch((reason: Error) => reason);
    if (!(error instanceof Error)) throw new Error('It was compiled.');
    return error.message;
  };

  it('artifacts 13: a canvas becomes a plain page: the text of the first screen is in the HTML, no outside address, no support.js', async () => {
    const { texts, warnings } = await compile(collectFiles(SHOP).files);
    expect(Object.keys(texts)).toEqual([
      'About.html',
      'About.js',
      'Shop--orders.html',
      'Shop--settings.html',
      'Shop--stock-prices.html',
      'Shop.html',
      'Shop.js',
      'StockCard.html',
      'StockCard.js',
      'assets/canvas-runtime.js',
      'badge.js',
      'badge.jsx',
    ]);
    const page = texts['Shop.html']!;
    for (const text of [
      '<title>Orders of a small shop</title>',
      'Ines &amp; Co',
      'Marlow &lt;Ltd&gt;',
      '12.50 €',
      '<h1>Orders</h1>',
      'Orders (2)',
    ]) {
      expect(page).toContain(text);
    }
    for (const text of [
      'support.js',
      'x-dc',
      '{{',
      'sc-for',
      'hint-',
      'https://',
      'http://',
      'Stock &amp; prices',
    ]) {
      expect([text, page.includes(text)]).toEqual([text, false]);
    }
    expect(warnings).toEqual([
      'Shop.dc.html: https://fonts.example.net/css2?family=Lora was left out, so that the page needs no network',
      'Shop.dc.html: https://fonts.example.net/more.css was left out, so that the page needs no network',
    ]);
    expect(page).toContain('<body style="background: #f5f3ef">');
    expect(page).toContain('<a href="About.html#team">');
    expect(page).toContain('.stock-card {');
    expect(page).toMatch(/<table>\s*<thead><tr><th>No\.<\/th>[\s\S]*<tbody><tr data-order="a1"><td>1<\/td>/);
    expect(page).toContain(
      '<linearGradient id="fade"><stop offset="0" stop-color="#3a5fcc"></stop></linearGradient>',
    );
  });

  it('artifacts 13: every labelled screen has a static page with its branch open and its siblings closed', async () => {
    const { texts } = await compile(collectFiles(SHOP).files);
    const stock = texts['Shop--stock-prices.html']!;
    expect(stock).toContain('<h2>Cups</h2>');
    expect(stock).toContain('7 left');
    expect(stock).toContain('style="opacity:0.5;margin-top:4px"');
    expect([stock.includes('Ines'), stock.includes('<script')]).toEqual([false, false]);
    const settings = texts['Shop--settings.html']!;
    expect(settings).toContain('<option selected value="m">Medium</option>');
    expect(settings).toContain('<button type="submit" disabled>Save</button>');
    expect(settings).toContain('<textarea rows="3">A note</textarea>');
  });

  it('the same bytes make the same bytes, and chance and time do not show', async () => {
    const files = collectFiles(SHOP).files;
    expect(await compile(files)).toEqual(await compile(files));
    const random = [
      madeFile(
        'A.dc.html',
        canvas('{{ n }} {{ d }}', vals('{ n: Math.random(), d: new Date().getTime() + Date.now() }')),
      ),
    ];
    expect(await compile(random)).toEqual(await compile(random));
  });

  it('holds no eval and no network in what it adds', async () => {
    const { texts } = await compile(collectFiles(SHOP).files);
    for (const path of ['Shop.js', 'assets/canvas-runtime.js']) {
      expect(texts[path]).not.toMatch(
        /\beval\s*\(|new Function\b|\bimportScripts\b|XMLHttpRequest|\bfetch\(/,
      );
    }
  });

  it('understands what a template may say', async () => {
    expect(
      await first(
        '<p>{{ a.b.c }}|{{ missing.deep }}|{{ list[1] }}|{{ f(2) }}</p>',
        '{ a: { b: { c: 1 } }, list: [1, 2], f: (x) => x * 3 }',
      ),
    ).toBe('<p>1||2|6</p>');
    expect(
      await first(
        "<p>{{ on ? 'a' : 'b' + n }} {{ !on && n > 1 && 'x' }} {{ a ?? 'none' }} {{ !on }}</p>",
        '{ on: false, n: 2 }',
      ),
    ).toBe('<p>b2 x none </p>');
    expect(await first(`<p>{{ \`b$\{n}\` }}</p>`, '{ n: 2 }')).toBe('<p>b2</p>');
    expect(await first('<sc-for list="{{ 3 }}" as="n"><i>{{ n }}{{ $index }}</i></sc-for>')).toBe(
      '<i>00</i><i>11</i><i>22</i>',
    );
    expect(
      await first(
        '<sc-for list="{{ rows }}" as="row"><sc-for list="{{ row.cells }}" as="cell"><b>{{ row.name }}{{ cell }}</b></sc-for></sc-for>',
        "{ rows: [{ name: 'a', cells: [1, 2] }, { name: 'b' }] }",
      ),
    ).toBe('<b>a1</b><b>a2</b>');
    expect(
      await first('<sc-if value="{{ no }}">x</sc-if><sc-if value="{{ yes }}">y</sc-if>', '{ yes: 1 }'),
    ).toBe('y');
    expect(await first('<p style="color: {{ c }}; background: url(data:a;b)">t</p>', "{ c: 'red' }")).toBe(
      '<p style="color:red;background:url(data:a;b)">t</p>',
    );
    expect(
      await first(
        '<p style="{{ s }}" class="a {{ k }}">t</p>',
        "{ s: { '--x': 1, fontSize: 12, zIndex: 3 }, k: 'b' }",
      ),
    ).toBe('<p style="--x:1;font-size:12px;z-index:3" class="a b">t</p>');
    expect(await first('<input disabled value="v" onclick="alert(1)"><br><img alt="">')).toBe(
      '<input disabled value="v"><br><img alt="">',
    );
    expect(
      await first(
        "<p title=\"{{ '}}' }}\">{{ items.map((item) => item.n).join(', ') }}</p>",
        '{ items: [{ n: 1 }, { n: 2 }] }',
      ),
    ).toBe('<p title="}}">1, 2</p>');
    expect(await first('<p>a &lt; b &amp; {{ t }}</p>', "{ t: '<script>' }")).toBe(
      '<p>a &lt; b &amp; &lt;script&gt;</p>',
    );
    expect(await first('<pre>\n  two\n</pre>')).toContain('  two\n');
  });

  it('knows the ways in which the editor writes what HTML would lose', async () => {
    expect(
      await first(
        '<sc-raw-select value="{{ v }}" sc-camel-on-change="{{ pick }}" sc-camel-tab-index="1"><sc-for list="{{ opts }}" as="o"><option value="{{ o }}">{{ o }}</option></sc-for></sc-raw-select>',
        "{ v: 'b', opts: ['a', 'b'], pick: () => {} }",
      ),
    ).toBe('<select tabindex="1"><option value="a">a</option><option selected value="b">b</option></select>');
    const { texts } = await compile([
      madeFile('A.dc.html', canvas('<input sc-camel-on-input="{{ typed }}">', vals('{ typed: () => {} }'))),
    ]);
    expect(texts['A.js']).toContain('"onInput": v["typed"]');
  });

  it('shows components of scripts in the first render where they can be shown, else what they hold', async () => {
    const files = [
      madeFile(
        'Deck.dc.html',
        canvas(
          '<x-import component-from-global-scope="deck-stage" from="./deck.js" width="1920"><section data-label="One">First slide</section></x-import>' +
            '<x-import component-from-global-scope="Kit.Chip" from="./kit.jsx" label="{{ label }}" style="color: red"><b>inside</b></x-import>' +
            '<x-import component-from-global-scope="Lost.Panel"><p>Still told</p></x-import>',
          vals("{ label: 'Ready' }"),
        ),
      ),
      madeFile('deck.js', 'customElements.define("deck-stage", class extends HTMLElement {});'),
      madeFile(
        'kit.jsx',
        'function Chip({ label, style, children }) {\n  const [on] = React.useState(() => true);\n  React.useEffect(() => {});\n  return <span style={style} className={on ? "on" : ""}>{label}: {children}</span>;\n}\nwindow.Kit = { Chip };\n',
      ),
    ];
    const { texts } = await compile(files);
    expect(texts['Deck.html']).toContain(
      '<deck-stage width="1920"><section data-label="One">First slide</section></deck-stage><span style="color:red" class="on">Ready: <b>inside</b></span><div data-x-import="Lost.Panel"><p>Still told</p></div>',
    );
    expect(texts['Deck.html']).toContain(
      '<script src="assets/canvas-runtime.js"></script>\n<script src="deck.js"></script>\n<script src="kit.js"></script>\n<script src="Deck.js"></script>',
    );
  });

  it('gives scripts of the head the React that they want', async () => {
    const helmet = '<helmet><script src="ds/kit.js"></script></helmet><p>x</p>';
    const { texts } = await compile([
      madeFile('A.dc.html', canvas(helmet)),
      madeFile('ds/kit.js', 'React.version'),
    ]);
    const page = texts['A.html']!;
    const order = ['assets/canvas-runtime.js', 'ds/kit.js', '</head>', 'A.js'].map((part) =>
      page.indexOf(part),
    );
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect([order.includes(-1), page.split('canvas-runtime.js').length]).toEqual([false, 2]);
  });

  it('writes rules for the states of an element that win over its style', async () => {
    const { texts } = await compile([
      madeFile('A.dc.html', canvas('<a class="x" style="color: red" style-hover="color: blue">t</a>')),
    ]);
    const name = /class="x (dc-[a-z0-9]+)"/.exec(texts['A.html']!)![1];
    expect(texts['A.html']).toContain(`<style>.${name}:hover{color:blue !important}</style>`);
  });

  it('names file, line and binding of what it does not take, and the way round', async () => {
    const at = async (template: string, logic = '') =>
      refusal([madeFile('Loop.dc.html', canvas(template, logic))]);
    const way = 'Push with --raw to store the file as it is.';
    expect(await at('<p>\n{{ a = 1 }}</p>')).toBe(
      `Loop.dc.html:6: {{ a = 1 }}: an assignment is not allowed here. ${way}`,
    );
    expect(await at('<p\n title="{{ new Date() }}"></p>')).toBe(
      `Loop.dc.html:6: {{ new Date() }}: \`new\` is not allowed here. ${way}`,
    );
    expect(await at('<p>{{ a b }}</p>')).toContain('Loop.dc.html:5: {{ a b }}');
    expect(await at('<p>{{ import("fs") }}</p>')).toContain('an import is not allowed');
    expect(await at('<sc-for as="x">y</sc-for>')).toContain('Loop.dc.html:5: sc-for has no list');
    expect(
      await at('<p></p>', 'class Component extends DCLogic {\n  renderVals() {\n    return { a: 1 ;\n  }\n}'),
    ).toContain('Loop.dc.html:10: Unexpected token');
    expect(await at('<p></p>', "import x from 'fs';")).toContain('Loop.dc.html:8:');
    expect(
      await at(
        '<p>{{ a }}</p>',
        'class Component extends DCLogic {\n  renderVals() {\n    return { a: this.state.deep.er };\n  }\n}',
      ),
    ).toBe(`Loop.dc.html:10: renderVals failed: Cannot read properties of undefined (reading 'er'). ${way}`);
    const twice = [
      madeFile('A.dc.html', canvas('<dc-import name="B"></dc-import>')),
      madeFile('B.dc.html', canvas('\n<dc-import name="A"></dc-import>')),
    ];
    expect(await refusal(twice)).toBe(`B.dc.html:6: dc-import goes round in a circle: A → B → A. ${way}`);
    expect(await at('<dc-import name="None"></dc-import>')).toContain('there is no None.dc.html beside it');
    expect(await at('<x-import from="./no.js" component-from-global-scope="X"></x-import>')).toContain(
      './no.js, which is not there',
    );
    expect(await refusal([madeFile('A.dc.html', canvas('<p></p>', vals('{}'), '{'))])).toContain(
      'data-props is no JSON',
    );
  });

  it('ends logic that takes too long or too much memory, and leads no way out of its context', async () => {
    const logic = (body: string) => [
      madeFile(
        'Loop.dc.html',
        canvas('<p>{{ a }}</p>', `class Component extends DCLogic {\n  renderVals() { ${body} }\n}`),
      ),
    ];
    expect(await refusal(logic('for (;;);'), { milliseconds: 400, megabytes: 64 })).toBe(
      'Loop.dc.html:9: renderVals failed: it took longer than 0.4 s. Push with --raw to store the file as it is.',
    );
    expect(
      await refusal(logic('const a = []; for (;;) a.push(new Array(100000).fill(a.length));'), {
        milliseconds: 30_000,
        megabytes: 48,
      }),
    ).toContain('it took more than 48 MB');
    for (const attempt of [
      'return { a: typeof require + typeof process + typeof Buffer };',
      "return { a: typeof globalThis.constructor.constructor('return process')() };",
      "return { a: typeof this.constructor.constructor('return process')() };",
      "return { a: eval('1') };",
      "return { a: new Function('return 1')() };",
      "return { a: typeof window.document.body.constructor.constructor('return process')().exit };",
    ]) {
      const outcome = await compile(logic(attempt)).then(
        ({ texts }) => /<p>(.*?)<\/p>/.exec(texts['Loop.html']!)![1],
        (error: Error) => error.message,
      );
      expect([
        attempt,
        /undefinedundefinedundefined|Code generation from strings disallowed|^(undefined|function|)$/.test(
          outcome!,
        ),
      ]).toEqual([attempt, true]);
    }
    expect(await refusal(logic("import('node:fs').catch(() => {}); return {};"))).toContain(
      'import() is not allowed',
    );
    const script =
      "import('node:fs').catch((e) => e); window.X = () => React.createElement('b', null, 'ran');";
    const { texts } = await compile([
      madeFile('A.dc.html', canvas('<x-import from="./x.js" component-from-global-scope="X"></x-import>')),
      madeFile('x.js', script),
    ]);
    expect(texts['A.html']).toContain('<div data-x-import="X"></div>');
  }, 60_000);

  it('keeps the sources when asked, plain files always, and gives screens of one name two pages', async () => {
    const two = canvas(
      '<sc-if value="{{ 1 }}"><p data-screen-label="Same">a</p></sc-if><sc-if value="{{ 0 }}"><p data-screen-label="Same">b</p></sc-if>',
    );
    const { texts } = await compile(
      [
        madeFile('in/A.dc.html', two),
        madeFile('in/support.js', 'x'),
        madeFile('support.js', 'mine'),
        madeFile('plain.html', '<p>plain</p>'),
        madeFile('.thumbnail', 'x'),
      ],
      { keepSource: true },
    );
    expect(Object.keys(texts)).toEqual([
      'assets/canvas-runtime.js',
      'in/A--same-2.html',
      'in/A--same.html',
      'in/A.html',
      'in/A.js',
      'plain.html',
      'source/in/A.dc.html',
      'support.js',
    ]);
    expect(texts['in/A.html']).toContain(
      '<script src="../assets/canvas-runtime.js"></script>\n<script src="A.js"></script>',
    );
    expect([texts['source/in/A.dc.html'], texts['plain.html']]).toEqual([two, '<p>plain</p>']);
    expect(texts['in/A--same-2.html']).toContain('>b</p>');
  });

  it('warns of pictures, fonts and scripts of other hosts, which stay', async () => {
    const { warnings, texts } = await compile([
      madeFile(
        'A.dc.html',
        canvas(
          '<helmet><style>@font-face { font-family: X; src: url("https://f.example/x.woff2") }</style><script src="https://s.example/s.js"></script></helmet>\n<p style="background: url(https://i.example/i.png)">x</p><img src="https://j.example/j.png" alt="">',
        ),
      ),
    ]);
    expect(warnings.map((warning) => warning.replace(/;.*/, ''))).toEqual([
      'A.dc.html:6: https://i.example/i.png stays',
      'A.dc.html:6: https://j.example/j.png stays',
      'A.dc.html: https://f.example/x.woff2 stays',
      'A.dc.html: https://s.example/s.js stays',
    ]);
    for (const host of ['f', 's', 'i', 'j']) expect(texts['A.html']).toContain(`https://${host}.example`);
  });

  it('replaces no file of the person: a name that is taken is an error', async () => {
    const page = canvas('<p>x</p>');
    expect(await refusal([madeFile('Loop.dc.html', page), madeFile('Loop.js', 'mine')])).toContain(
      'Loop.dc.html:1: its page needs the name Loop.js, which another file has',
    );
    expect(await refusal([madeFile('Loop.dc.html', page), madeFile('Loop.html', '<p>mine</p>')])).toContain(
      'Loop.html',
    );
    expect(
      await refusal([madeFile('Loop.dc.html', page), madeFile('Loop.html', canvas('<p>y</p>'))]),
    ).toContain('needs the name Loop.html');
  });

  it('a canvas that is pushed alone finds its parts and scripts beside it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'loupe-canvas-'));
    for (const name of readdirSync(SHOP)) writeFileSync(join(folder, name), readFileSync(join(SHOP, name)));
    const { texts } = await compile(collectFiles(join(folder, 'Shop.dc.html')).files);
    expect(Object.keys(texts)).toEqual([
      'Shop--orders.html',
      'Shop--settings.html',
      'Shop--stock-prices.html',
      'Shop.html',
      'Shop.js',
      'assets/canvas-runtime.js',
      'badge.js',
    ]);
    rmSync(folder, { recursive: true });
  });

  it('compiles JSX line by line', async () => {
    const { texts } = await compile(collectFiles(SHOP).files);
    expect(texts['badge.js']).toContain(
      'React.createElement("button", {"type": "button", "className": "badge", "onClick": () => setCount(count + 1)}, text, " badge: ", React.createElement("b", null, count), " ", count > 1 ? React.createElement("i", null, "many") : null)',
    );
    expect(texts['badge.js']!.split('\n')).toHaveLength(texts['badge.jsx']!.split('\n').length);
  });
});
