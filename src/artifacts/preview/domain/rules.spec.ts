import { htmlPieces } from './html-tags.js';
import { keysOf, readPath } from './preview-path.js';
import { decodeTicket, encodeTicket } from './preview-ticket.js';
import { rewrittenCss, rewrittenHtml } from './root-addresses.js';
import { drawSubdomain } from './subdomain.js';

const rewriteHtml = (html: string, base: string) => [...rewrittenHtml(html, base)].join('');
const rewriteCss = (css: string, base: string) => [...rewrittenCss(css, base)].join('');

/** Milliseconds of this process alone, so that a busy machine makes nothing slower. */
const spent = () => process.cpuUsage().user / 1_000;

describe('Root-absolute addresses', () => {
  const base = '/p/t/';

  it.each([
    ['<img src="/a.png">', '<img src="/p/t/a.png">'],
    ['<IMG SRC=/a.png>', '<IMG SRC=/p/t/a.png>'],
    ["<a href='/'>", "<a href='/p/t/'>"],
    ['<img srcset="/a.png 1x, /b.png 2x">', '<img srcset="/p/t/a.png 1x, /p/t/b.png 2x">'],
    ['<p style="background:url(/a.png)">', '<p style="background:url(/p/t/a.png)">'],
    [
      '<style>@import "/a.css"; a{b:url( \'/c\')}</style>',
      '<style>@import "/p/t/a.css"; a{b:url( \'/p/t/c\')}</style>',
    ],
    ['<svg><use xlink:href="/i.svg#x"/></svg>', '<svg><use xlink:href="/p/t/i.svg#x"/></svg>'],
    ['<form action="/x"><button formaction="/y">', '<form action="/p/t/x"><button formaction="/p/t/y">'],
    ['<a\n href = "/x" >', '<a\n href = "/p/t/x" >'],
    ['<a title="<b" href="/x">', '<a title="<b" href="/p/t/x">'],
  ])('rewrites %s', (html, wanted) => expect(rewriteHtml(html, base)).toBe(wanted));

  it.each([
    '<a href="//cdn.example/x">',
    '<a href="https://x.example/y">',
    '<a href="pages/a.html">',
    '<a href="#x">',
    '<script>const a = "<img src=\'/x\'>";</script>',
    '<textarea><img src="/x"></textarea>',
    '<!-- <img src="/x"> -->',
    '<p>1 < 2 and src="/x"</p>',
    '<img alt="/x">',
    '<a href="/x',
    '<a href=',
    '<',
    '',
  ])('leaves %s as it is', (html) => expect(rewriteHtml(html, base)).toBe(html));

  it('never holds up the others for long, whatever a page is made of', () => {
    const pieces = ['<a ', '<a b="', '<style>', '<!--', '</', '<a href=/x>', '<script><', '"\'<a', '<a b=c '];
    for (const piece of [...pieces, '<img srcset="/a 1x,/b 2x">', '<style>a{b:url(/x)}</style>', 'url(/x)']) {
      const page = piece.repeat(1_000_000 / piece.length);
      for (const parts of [rewrittenHtml(page, base), rewrittenCss(page, base)]) {
        let longest = 0;
        let before = spent();
        for (let step = parts.next(); !step.done; step = parts.next()) {
          const now = spent();
          longest = Math.max(longest, now - before);
          before = now;
        }
        // Far above what a step takes, far below what the whole page would.
        expect([piece, longest < 1_000]).toEqual([piece, true]);
      }
    }
  });

  it('rewrites a long stylesheet in steps and cuts no address in two', () => {
    const css = `a{b:url(/x)}/*${'*'.repeat(70_000)}*/${'c{d:url( "/y")} '.repeat(20_000)}`;
    expect(rewriteCss(css, base)).toBe(css.replaceAll('(/x', '(/p/t/x').replaceAll('"/y', '"/p/t/y'));
  });

  it('sees the tags that a browser sees', () => {
    const names = [
      ...htmlPieces('<!doctype html><html><title><b></title><p>a<script><i></script><u x=y>'),
    ].flatMap((piece) => (piece.kind === 'tag' ? [piece.name] : []));
    expect(names).toEqual(['html', 'title', 'p', 'script', 'u']);
  });
});

describe('Paths of previews', () => {
  it('decodes once', () => {
    expect(readPath('a%20b/%C3%BC.html')).toBe('a b/ü.html');
    expect(readPath('u%CC%88.html')).toBe('ü.html');
    expect(readPath('%252e%252e/x')).toBe('%2e%2e/x');
    expect(readPath('..%252f')).toBe('..%2f');
    expect(readPath('%2e%2e/x')).toBeNull();
    expect(readPath('a%2Fb')).toBeNull();
    expect(readPath('')).toBe('');
    expect(keysOf('a')).toEqual(['a', 'a/index.html']);
    expect(keysOf('a/')).toEqual(['a/index.html']);
  });
});

describe('Tickets', () => {
  it('read what they were written from, and nothing else', () => {
    const ticket = {
      artifactId: '0195c0de-0000-7000-8000-0000000000f1',
      version: 3,
      previewEpoch: 2,
      expiresAt: new Date(1_800_000_000_000),
      personId: 'p-1',
    };
    const turn = (text: string) => [...text].reverse().join('');
    expect(decodeTicket(encodeTicket(ticket, turn), turn)).toEqual(ticket);
    expect(decodeTicket(encodeTicket(ticket, turn), () => null)).toBeNull();
    const open = { ...ticket, personId: null };
    expect(decodeTicket(encodeTicket(open, turn), () => null)).toEqual(open);
    expect(decodeTicket(encodeTicket({ ...ticket, version: null }, turn), turn)?.version).toBeNull();
    for (const other of ['', 'null', '[]', '{}', '[1,2,3,4,5]', '["x",1,1,1,1]'])
      expect(decodeTicket(Buffer.from(other).toString('base64url'), turn)).toBeNull();
  });
});

describe('Names of live pages', () => {
  it.each([
    ['Checkout', /^checkout-[a-z0-9]{4}$/],
    ['東京 Café!', /^[a-z-]*cafe-[a-z0-9]{4}$/],
    ['www', /^page-www-[a-z0-9]{4}$/],
    ['🙂', /^[a-z0-9-]+-[a-z0-9]{4}$/],
    ['--', /^page-[a-z0-9]{4}$/],
    ['x'.repeat(120), /^x{48}-[a-z0-9]{4}$/],
  ])('are drawn for %s', (name, form) => {
    expect(drawSubdomain(name, () => 7)).toMatch(form);
  });
});
