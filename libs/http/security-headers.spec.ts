import { newNonce, securityHeaders } from './security-headers.js';

describe('securityHeaders', () => {
  it('allows what comes from this origin or carries the nonce, and nothing inline', () => {
    const policy = securityHeaders({ nonce: 'abc', https: false })['Content-Security-Policy']!;
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self' 'nonce-abc'",
        "style-src 'self' 'nonce-abc'",
        "img-src 'self' data: blob:",
        "frame-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "object-src 'none'",
      ]),
    );
    expect(policy).not.toMatch(/unsafe-inline|unsafe-eval/);
  });

  it('adds HSTS only with https', () => {
    expect(securityHeaders({ nonce: 'a', https: false })).not.toHaveProperty('Strict-Transport-Security');
    expect(securityHeaders({ nonce: 'a', https: true })['Strict-Transport-Security']).toBe(
      'max-age=31536000',
    );
  });

  it('opens frames, forms and pop-ups only where a page asks for it', () => {
    const headers = securityHeaders({
      nonce: 'a',
      https: true,
      previewBase: 'https://preview.example',
      formAction: ['https://app.example'],
      openerPolicy: 'unsafe-none',
    });
    expect(headers['Content-Security-Policy']).toContain("frame-src 'self' https://preview.example;");
    expect(headers['Content-Security-Policy']).toContain("form-action 'self' https://app.example;");
    expect(headers['Cross-Origin-Opener-Policy']).toBe('unsafe-none');
    expect(securityHeaders({ nonce: 'a', https: true })['Cross-Origin-Opener-Policy']).toBe('same-origin');
  });

  it('makes a nonce of 128 bits, never the same', () => {
    expect(newNonce()).toMatch(/^[\w-]{22}$/);
    expect(newNonce()).not.toBe(newNonce());
  });

  it('artifacts 10.6: lets the page of a preview frame the base of previews and nothing else', () => {
    const base = 'https://loupe.example/artifact-preview/';
    const headers = securityHeaders({ nonce: 'n', https: true, framesOnly: base });
    expect(headers['Content-Security-Policy']).toContain(`frame-src ${base};`);
  });
});
