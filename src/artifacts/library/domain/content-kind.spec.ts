import fc from 'fast-check';
import { ContentSniffer, contentTypeOf, EXECUTABLE, OCTETS, SHEBANG, sniff } from './content-kind.js';
import { entryPathOf } from './entry-path.js';

const bytes = (latin1: string) => Buffer.from(latin1, 'latin1');

describe('what content is', () => {
  it.each([
    ['a.png', '\x89PNG\r\n\x1a\n\0', 'image', 'image/png'],
    ['a.txt', '\x89PNG\r\n\x1a\n\0', 'image', 'image/png'],
    ['a', '\xff\xd8\xff\xe0', 'image', 'image/jpeg'],
    ['a', 'GIF89a\x01', 'image', 'image/gif'],
    ['a', 'RIFF\0\0\0\0WEBPVP8 ', 'image', 'image/webp'],
    ['a.png', 'just text', 'text', 'text/plain'],
    ['a.png', '\x00\x01\x02', 'binary', OCTETS],
    ['a.html', '<p>', 'text', 'text/html'],
    ['a.svg', '<svg/>', 'text', 'image/svg+xml'],
    ['a.TSX', 'x', 'text', 'text/javascript'],
    ['a.json', '{}', 'text', 'application/json'],
    ['README.md', '#', 'text', 'text/markdown'],
    ['a.yml', 'a: 1', 'text', 'application/yaml'],
    ['.html', 'x', 'text', 'text/plain'],
    ['Makefile', 'x', 'text', 'text/plain'],
    ['a.constructor', 'x', 'text', 'text/plain'],
    ['a.woff2', 'wOF2\0', 'binary', 'font/woff2'],
    ['a.html', 'wOFF\0', 'binary', 'font/woff'],
    ['a.ttf', '\0\x01\0\0', 'binary', 'font/ttf'],
    ['a.mp4', '\0\0\0\x18ftypisom\0', 'binary', 'video/mp4'],
    ['a.avif', '\0\0\0\x18ftypavif\0', 'binary', 'image/avif'],
    ['a.webm', '\x1a\x45\xdf\xa3\0\0webm', 'binary', 'video/webm'],
    ['a.mp3', 'ID3\0', 'binary', 'audio/mpeg'],
    ['a.wav', 'RIFF\0\0\0\0WAVE', 'binary', 'audio/wav'],
    ['a.pdf', '%PDF-1.7\n\xff\0', 'binary', 'application/pdf'],
    ['a.wasm', '\0asm', 'binary', 'application/wasm'],
    ['a.zip', 'PK\x03\x04\0', 'binary', 'application/zip'],
    ['a.html', 'MZ\x90\0', 'binary', OCTETS],
    ['a.html', 'caf\xe9', 'binary', OCTETS],
    ['empty', '', 'text', 'text/plain'],
  ])('%s with %j is %s', (path, content, kind, type) => {
    const told = sniff(bytes(content));
    expect([told.kind, contentTypeOf(path, told)]).toEqual([kind, type]);
  });

  it('tells programs by their first bytes, whatever they are called', () => {
    for (const start of ['\x7fELF', 'MZ\x90\0', '\xcf\xfa\xed\xfe', '\xca\xfe\xba\xbe']) {
      expect(sniff(bytes(`${start}\0\0`)).sniffedType).toBe(EXECUTABLE);
    }
    expect(sniff(bytes('#!/bin/sh\n')).sniffedType).toBe(SHEBANG);
    expect(sniff(bytes('MZ is a prefix of words too'))).toEqual({ kind: 'text', sniffedType: null });
  });

  it('is the same however the bytes are cut while they flow', () => {
    const content = fc.oneof(
      fc.string({ unit: 'grapheme' }).map((text) => Buffer.from(text)),
      fc.uint8Array().map((data) => Buffer.from(data)),
    );
    fc.assert(
      fc.property(content, fc.array(fc.nat(40), { maxLength: 10 }), (data, cuts) => {
        const sniffer = new ContentSniffer();
        let from = 0;
        for (const step of cuts) {
          sniffer.push(data.subarray(from, from + step));
          from += step;
        }
        sniffer.push(data.subarray(from));
        expect(sniffer.end()).toEqual(sniff(data));
      }),
    );
  });

  it('is text exactly when it is valid UTF-8 without NUL and no image', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 12 }), (data) => {
        const buffer = Buffer.from(data);
        const valid = !buffer.includes(0) && Buffer.from(buffer.toString('utf8')).equals(buffer);
        const { kind } = sniff(buffer);
        if (kind !== 'image') expect(kind === 'text').toBe(valid);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('what is shown first', () => {
  const app = { artifactType: 'app', framework: 'html', entryWish: null } as const;

  it.each([
    [{ ...app, entryWish: 'b.html' }, ['b.html', 'index.html'], 'b.html'],
    [{ ...app, entryWish: 'gone.html' }, ['index.html'], 'index.html'],
    [{ ...app, framework: 'react' as const }, ['public/index.html', 'src/a.html'], 'public/index.html'],
    [app, ['a/x.html', 'only.html'], 'only.html'],
    [app, ['A.html', 'Loop.html', 'Loop.js', 'assets/canvas-runtime.js'], 'Loop.html'],
    [app, ['a.html', 'b.html'], null],
    [app, ['README.md'], 'README.md'],
    [app, ['README.md', 'sub/a.html'], null],
    [{ ...app, artifactType: 'markdown' as const, framework: null }, ['a.md', 'index.md'], 'index.md'],
    [{ ...app, artifactType: 'markdown' as const, framework: null }, ['b.md', 'c.md'], 'b.md'],
    [{ ...app, artifactType: 'asset' as const, framework: null }, ['logo.png'], 'logo.png'],
  ])('of %j in %j is %j', (artifact, paths, entry) => {
    expect(entryPathOf(artifact, paths)).toBe(entry);
  });
});
