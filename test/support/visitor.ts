/** A browser without a window: keeps cookies, follows nothing, sends forms. */
export class Visitor {
  private readonly cookies = new Map<string, string>();

  constructor(
    readonly origin: string,
    /** Headers of every request, such as those of a proxy. */
    private readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  async request(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers({ ...this.headers, ...Object.fromEntries(new Headers(init.headers)) });
    if (this.cookies.size > 0) {
      headers.set('cookie', [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    }
    const response = await fetch(new URL(path, this.origin), { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [pair] = line.split(';');
      const at = pair!.indexOf('=');
      const name = pair!.slice(0, at);
      if (/expires=Thu, 01 Jan 1970|max-age=0/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, pair!.slice(at + 1));
    }
    return response;
  }

  /** The cookies in the form that a browser takes. */
  cookiesFor(url: string): { name: string; value: string; url: string }[] {
    return [...this.cookies].map(([name, value]) => ({ name, value, url }));
  }

  /** Opens a page and follows redirects of this origin. */
  async open(path: string): Promise<{ response: Response; html: string; url: string }> {
    let url = new URL(path, this.origin).toString();
    for (let hops = 0; hops < 10; hops += 1) {
      const response = await this.request(url);
      const location = response.headers.get('location');
      if (response.status < 300 || response.status >= 400 || !location) {
        return { response, html: await response.text(), url };
      }
      const next = new URL(location, url);
      if (next.origin !== new URL(this.origin).origin) return { response, html: '', url: next.toString() };
      url = next.toString();
    }
    throw new Error(`Too many redirects at ${path}.`);
  }

  /** Sends the form of a page: its hidden fields, and what is given. The answer is not followed. */
  async submit(page: { html: string; url: string }, fields: Record<string, string>): Promise<Response> {
    const form = /<form[^>]*>/.exec(page.html)?.[0] ?? '';
    const action = /action="([^"]*)"/.exec(form)?.[1] ?? page.url;
    const body = new URLSearchParams();
    for (const input of page.html.match(/<input[^>]*type="hidden"[^>]*>/g) ?? []) {
      const name = /name="([^"]*)"/.exec(input)?.[1];
      if (name) body.set(name, unescapeHtml(/value="([^"]*)"/.exec(input)?.[1] ?? ''));
    }
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    return this.request(new URL(unescapeHtml(action), page.url).toString(), {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: new URL(this.origin).origin },
      body: body.toString(),
    });
  }

  /** A JSON call of the app: CSRF token and same-origin headers included. */
  async api<T>(method: string, path: string, body?: unknown): Promise<{ status: number; body: T }> {
    const headers: Record<string, string> = { origin: new URL(this.origin).origin };
    if (method !== 'GET') {
      const session = await (await this.request('/api/session')).json();
      headers['loupe-csrf-token'] = (session as { csrfToken: string }).csrfToken;
      headers['content-type'] = 'application/json';
    }
    const response = await this.request(`/api${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: (text ? JSON.parse(text) : null) as T };
  }
}

export function unescapeHtml(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
