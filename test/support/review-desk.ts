import type { Browser, BrowserContext, Page } from 'playwright-core';
import { ClientSite } from './agent.js';
import { openBrowser, watch } from './browser.js';
import { LoupeServer } from './loupe-server.js';
import {
  AppSignIn,
  addMember,
  addPerson,
  adminEnv,
  callTool,
  liftRateLimit,
  newProject,
  signedIn,
} from './settled-server.js';
import { until } from './until.js';
import type { Visitor } from './visitor.js';

/** A document as the agent got it back. */
export interface Filed {
  readonly documentId: string;
  readonly reviewUrl: string;
  readonly version: number;
  readonly status: string;
}

export interface ReviewComment {
  readonly id: string;
  readonly body: string;
  readonly author: string;
  readonly status: string;
  readonly quote: string | null;
  readonly replacement?: string | null;
  readonly orphaned: boolean;
  readonly thread: readonly { readonly id: string; readonly body: string; readonly author: string }[];
}

/** The part of `document_get_review` that browser suites look at. */
export interface AgentView {
  readonly version: number;
  readonly status: string;
  readonly verdict: string | null;
  readonly note: string | null;
  readonly comments: readonly ReviewComment[];
  readonly decisions: readonly Record<string, unknown>[];
  readonly sections: readonly { readonly headingId: string; readonly approvals: number }[];
}

export interface Reader {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors and foreign requests of the page so far. */
  readonly seen: ReturnType<typeof watch>;
}

export const SECOND = { email: 'bo.second@mail.example', name: 'Bo Second' } as const;

/**
 * The built server with a project of two people and an agent that is signed in, and one browser for all windows.
 * People sign in by forms over HTTP and hand their cookies to the browser.
 */
export class ReviewDesk {
  private constructor(
    private readonly site: ClientSite,
    readonly server: LoupeServer,
    readonly browser: Browser,
    /** Owner of the project and admin of the server. */
    readonly owner: Visitor,
    /** A member of the project. */
    readonly member: Visitor,
    readonly projectId: string,
    private readonly token: string,
  ) {}

  static async start(): Promise<ReviewDesk> {
    const site = await ClientSite.start();
    const [server, browser] = await Promise.all([
      LoupeServer.start({ env: { ...site.env, ...adminEnv } }),
      openBrowser(),
    ]);
    const owner = await signedIn(server.origin);
    await liftRateLimit(owner);
    const projectId = await newProject(owner, 'Ferry bookings');
    await addMember(server, projectId, await addPerson(server, SECOND.email, SECOND.name), 'member');
    const member = await signedIn(server.origin, SECOND.email);
    const { access_token } = await AppSignIn.complete(owner, projectId);
    return new ReviewDesk(site, server, browser, owner, member, projectId, access_token);
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.server.stop();
    await this.site.stop();
  }

  /** A window of a person, with a size and preferences of its own. */
  async window(
    person: Visitor = this.owner,
    options: Parameters<Browser['newContext']>[0] = {},
  ): Promise<Reader> {
    const context = await this.browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
    await context.addCookies(person.cookiesFor(this.server.origin));
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    return { page, context, seen: watch(page, this.server.origin) };
  }

  /** Calls a tool as the agent. @throws Error with the refusal as its message */
  async tool<T = Record<string, unknown>>(name: string, input: Record<string, unknown> = {}): Promise<T> {
    const { body } = await callTool(this.server.origin, this.token, name, input);
    const text = body.error?.message ?? (body.result?.isError ? body.result.content?.[0]?.text : null);
    if (text) throw new Error(text);
    return body.result!.structuredContent as T;
  }

  /** The agent files a document. */
  file(title: string, markdown: string, more: Record<string, unknown> = {}): Promise<Filed> {
    return this.tool<Filed>('document_create', { title, markdown, ...more });
  }

  /** The agent writes the next version. */
  revise(documentId: string, markdown: string, description = 'Says it better.') {
    return this.tool<{ version: number; carried: number; orphaned: number }>('document_revise', {
      documentId,
      markdown,
      description,
    });
  }

  /** What the agent reads. */
  review(documentId: string): Promise<AgentView> {
    return this.tool<AgentView>('document_get_review', { documentId, includeResolved: true });
  }

  /** A route of the documents of this project, without `/api`. */
  path(documentId: string, rest = ''): string {
    return `/projects/${this.projectId}/documents/${documentId}${rest}`;
  }

  /** Switches a flag of the server, and waits until it holds: processes look for changed flags every second. */
  async flag(name: string, value: boolean): Promise<void> {
    const { status } = await this.owner.api('PUT', `/admin/flags/${name}`, { value });
    if (status !== 200) throw new Error(`The flag was not switched: ${status}`);
    await until(async () => {
      const { body } = await this.owner.api<{ flags: Record<string, boolean> }>('GET', '/session');
      return body.flags[name] === value;
    });
  }
}
