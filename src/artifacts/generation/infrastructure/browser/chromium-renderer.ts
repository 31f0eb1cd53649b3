import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { PageRenderer } from '../../application/ports/page-renderer.js';
import type { WebGuard } from '../web-guard.js';
import { GuardedProxy } from './guarded-proxy.js';

const RENDER_MS = 30_000;
/** Milliseconds of the page's own clock that its scripts get. */
const PAGE_TIME = 10_000;
const MAX_HTML = 10 * 1024 * 1024;

/** Lets a browser run the scripts of a page and hands out what it then shows. Its only way out is the guarded proxy. */
export class ChromiumRenderer extends PageRenderer {
  private readonly logger = new Logger('page-renderer');

  constructor(
    private readonly browserPath: string,
    private readonly guard: WebGuard,
  ) {
    super();
  }

  /** A browser that fails is told in the log, and the page is taken as its server sends it. */
  override async render(address: string, signal: AbortSignal): Promise<string | null> {
    const cut = AbortSignal.any([signal, AbortSignal.timeout(RENDER_MS)]);
    const proxy = await GuardedProxy.open(this.guard, cut);
    const profile = await mkdtemp(join(tmpdir(), 'loupe-page-'));
    try {
      const html = await this.dump(address, proxy.address, profile, cut);
      return html.trim() === '' ? null : html;
    } catch (error) {
      this.logger.warn({ msg: 'The browser did not render a page', err: error });
      return null;
    } finally {
      proxy.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
    }
  }

  private dump(address: string, proxy: string, profile: string, signal: AbortSignal): Promise<string> {
    return new Promise((done, fail) => {
      const child = spawn(this.browserPath, [...flags(proxy, profile), address], {
        env: { PATH: process.env.PATH ?? '', HOME: profile, TMPDIR: profile },
        stdio: ['ignore', 'pipe', 'ignore'],
        // A group of its own, so that its helpers end with it.
        detached: true,
      });
      const chunks: Buffer[] = [];
      let size = 0;
      const end = () => {
        try {
          if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
        } catch {
          // It is gone already.
        }
      };
      signal.addEventListener('abort', end, { once: true });
      child.stdout.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > MAX_HTML) end();
        else chunks.push(chunk);
      });
      child.once('error', fail);
      child.once('close', (code) => {
        signal.removeEventListener('abort', end);
        end();
        if (code === 0 && size <= MAX_HTML) done(Buffer.concat(chunks).toString('utf8'));
        else fail(new Error(`The browser ended with ${code}.`));
      });
    });
  }
}

function flags(proxy: string, profile: string): string[] {
  return [
    '--headless=new',
    '--dump-dom',
    `--virtual-time-budget=${PAGE_TIME}`,
    `--proxy-server=http://${proxy}`,
    // The loopback too goes through the proxy, and no name is looked up beside it.
    '--proxy-bypass-list=<-loopback>',
    '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
    '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--disable-quic',
    `--user-data-dir=${profile}`,
    '--incognito',
    '--no-first-run',
    '--no-default-browser-check',
    '--disable-gpu',
    '--disable-extensions',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--disable-dev-shm-usage',
    '--deny-permission-prompts',
    '--mute-audio',
  ];
}
