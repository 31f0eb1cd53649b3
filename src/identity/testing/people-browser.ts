import type { NestExpressApplication } from '@nestjs/platform-express';
import supertest, { type Response } from 'supertest';

/** A browser with scripts off: it keeps cookies, reads forms out of pages and posts them. */
export class PeopleBrowser {
  readonly agent: ReturnType<typeof supertest.agent>;
  /** Address that a trusted proxy reports for this browser. */
  ip = '203.0.113.7';

  constructor(app: NestExpressApplication) {
    this.agent = supertest.agent(app.getHttpServer());
  }

  get(path: string): Promise<Response> {
    return Promise.resolve(this.agent.get(path).set('X-Forwarded-For', this.ip));
  }

  /** Posts fields as a form, with nothing added. */
  post(path: string, fields: Record<string, string>): Promise<Response> {
    return Promise.resolve(
      this.agent
        .post(path)
        .set('X-Forwarded-For', this.ip)
        .set('User-Agent', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0')
        .type('form')
        .send(fields),
    );
  }

  /** Opens a page and sends its form with these fields beside the hidden ones. */
  async fill(path: string, fields: Record<string, string>): Promise<Response> {
    const page = await this.get(path);
    const form = formOf(page.text);
    return this.post(form.action, { ...form.hidden, ...fields });
  }
}

export const ADMIN = {
  email: 'Ines.Marlow@example.com',
  displayName: 'Ines Marlow',
  password: 'four unrelated words here',
};

/** Goes through the wizard. */
export async function install(browser: PeopleBrowser): Promise<Response> {
  return browser.fill('/install?step=account', { ...ADMIN, registration: 'on' });
}

export async function signIn(
  browser: PeopleBrowser,
  credentials: { email: string; password: string } = ADMIN,
  next = '',
): Promise<Response> {
  const { email, password } = credentials;
  return browser.fill(next ? `/login?next=${encodeURIComponent(next)}` : '/login', { email, password });
}

/** Address and hidden fields of the one form of a page. */
export function formOf(markup: string): { action: string; hidden: Record<string, string> } {
  const action = /<form[^>]* action="([^"]*)"/.exec(markup)?.[1];
  if (action === undefined) throw new Error(`The page has no form: ${markup.slice(0, 400)}`);
  const hidden: Record<string, string> = {};
  for (const [, name, value] of markup.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)) {
    hidden[name!] = value!;
  }
  return { action, hidden };
}
