import { Controller, Get, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Configuration } from '#libs/configuration/configuration.js';
import type { HttpResponse } from '#libs/http/exchange.js';
import { newNonce, securityHeaders } from '#libs/http/security-headers.js';
import { notFound } from '#libs/kernel/errors.js';
import { Flags } from '#libs/kernel/ports/flags.js';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  // Also for whoever opens the address by itself: the page never has our origin.
  'sandbox allow-scripts',
].join('; ');

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Diagram</title>
<style>body{margin:0;background:transparent}svg{display:block;max-width:100%;height:auto}</style>
<script src="/assets/diagram-frame.js" defer></script>
</head>
<body></body>
</html>
`;

/**
 * The page inside the frame that draws diagrams (`documents.md` 4.7): no origin, no network, nothing but our script.
 * It knows nobody and shows nothing until its parent sends a source, so it asks for no sign-in.
 */
@ApiExcludeController()
@Controller('diagram-frame')
export class DiagramFrameController {
  constructor(
    private readonly configuration: Configuration,
    private readonly flags: Flags,
  ) {}

  /** @throws DomainError `not-found` while diagrams are off. */
  @Get()
  show(@Res() response: HttpResponse): void {
    if (!this.flags.isOn('review.diagrams.enabled')) throw notFound('Page');
    const headers = securityHeaders({ nonce: newNonce(), https: this.configuration.isHttps });
    response
      .set({
        ...headers,
        'Content-Security-Policy': POLICY,
        'Referrer-Policy': 'no-referrer',
        'Cache-Control': 'no-cache',
      })
      .type('html')
      .send(PAGE);
  }
}
