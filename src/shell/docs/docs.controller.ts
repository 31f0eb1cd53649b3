import { Controller, Get, Param, Query, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Configuration } from '#libs/configuration/configuration.js';
import { version } from '#libs/configuration/version.js';
import type { HttpRequest, HttpResponse } from '#libs/http/exchange.js';
import { newNonce, securityHeaders } from '#libs/http/security-headers.js';
import { type Html, html } from '#src/identity/interface/http/pages/html.js';
import { PageFilter } from '#src/identity/interface/http/pages/page.filter.js';
import { footFacts } from '#src/identity/interface/http/pages/page-frame.js';
import { foldedSections, type GuidePage, guidePage, searchForm } from './guide-layout.js';
import type { Guide, GuideLibrary } from './guide-library.js';
import type { GuideHeading, GuideInsert } from './guide-markdown.js';
import { Guides } from './guides.js';
import { type ToolReference, ToolReferences } from './tool-reference.js';

/** The guide whose tools come from their declarations. */
const TOOLS_PAGE = 'mcp';
const LONGEST_QUERY = 200;

type Content = Pick<GuidePage, 'title' | 'body'> & Partial<GuidePage>;

/**
 * The guides of this release (`platform.md` 13): public, the same for everybody, with the addresses of this instance.
 * A page depends on the release and the flags alone, so browsers keep it and ask whether it is still that one.
 */
@ApiExcludeController()
@Controller('docs')
@UseFilters(PageFilter)
export class DocsController {
  /** Whole pages by name, as long as the tools are those. */
  private readonly pages = new Map<
    string,
    { readonly tools: ToolReference | null; readonly markup: string }
  >();

  constructor(
    private readonly configuration: Configuration,
    private readonly guides: Guides,
    private readonly tools: ToolReferences,
  ) {}

  @Get()
  async contents(@Query('q') q: unknown, @Res() response: HttpResponse): Promise<void> {
    const library = await this.guides.library();
    const query = typeof q === 'string' ? q.slice(0, LONGEST_QUERY).trim() : '';
    const markup =
      query === ''
        ? this.kept(library, '', () => contentsPage(library))
        : this.page(library, this.searchPage(library, query));
    this.send(response, markup);
  }

  @Get('images/:name')
  async image(@Param('name') name: string, @Res() response: HttpResponse): Promise<void> {
    const library = await this.guides.library();
    const content = library.image(name);
    if (content === null) {
      this.missing(library, `images/${name}`, response);
      return;
    }
    response
      .set({ 'Cache-Control': 'public, no-cache', 'X-Content-Type-Options': 'nosniff' })
      .type('png')
      .send(content);
  }

  @Get(':name')
  async guide(@Param('name') name: string, @Res() response: HttpResponse): Promise<void> {
    const library = await this.guides.library();
    const guide = library.find(name);
    if (guide === null) {
      this.missing(library, name, response);
      return;
    }
    const markup = this.kept(library, name, () => this.guidePage(library, guide));
    this.send(response, markup);
  }

  @Get('*rest')
  async other(@Req() request: HttpRequest, @Res() response: HttpResponse): Promise<void> {
    this.missing(await this.guides.library(), request.path.replace(/^\/docs\//, ''), response);
  }

  /** Leads those on who follow the address of a file, and helps everybody else to find what they meant. */
  private missing(library: GuideLibrary, address: string, response: HttpResponse): void {
    const [name] = /[^/]+(?=\.md$)/.exec(address) ?? [];
    if (name !== undefined && library.find(name) !== null) {
      response.redirect(302, `/docs/${name}`);
      return;
    }
    const near = library.near(address).slice(0, 5);
    const body = html`<h1>There is no such guide</h1>
<p>No guide of this release has this address. It may have another name in this version of Loupe.</p>
${near.length > 0 && html`<p>You may have meant:</p>${guideList(near)}`}
${searchForm('', 'page')}
<p><a href="/docs">All guides</a></p>`;
    this.send(response, this.page(library, { title: 'Not found', body }), 404);
  }

  private guidePage(library: GuideLibrary, guide: Guide): Content {
    const tools = guide.name === TOOLS_PAGE ? this.tools.current : null;
    const headings = [...guide.headings, ...(tools?.headings ?? [])];
    const parts = fill(library.page(guide.name), {
      sections: foldedSections(headings),
      tools: tools?.body,
    });
    return { title: guide.title, body: html`${parts}`, current: guide.name, headings };
  }

  private searchPage(library: GuideLibrary, query: string): Content {
    const more = new Map([[TOOLS_PAGE, this.tools.current.headings]]);
    const matches = library.search(query, more);
    const found =
      matches.length === 0
        ? html`<p>No title has all of these words. Try fewer or other ones, or look through <a href="/docs">all guides</a>.</p>`
        : html`<ul class="guides__found">${matches.map(
            ({ guide, headings }) =>
              html`<li><a href="/docs/${guide.name}">${guide.title}</a>${
                guide.about !== '' && html`<br /><span class="muted small">${guide.about}</span>`
              }${headings.length > 0 && html`<ul>${headings.map((heading) => sectionLink(guide, heading))}</ul>`}</li>`,
          )}</ul>`;
    const count = matches.length === 1 ? '1 guide' : `${matches.length} guides`;
    const body = html`<h1>Search</h1>
${searchForm(query, 'page')}
<p class="muted">${count} with “<bdi>${query}</bdi>” in a title.</p>
${found}`;
    return { title: `Search: ${query}`, body, query };
  }

  /** The markup of a page, made anew only when the tools have changed. */
  private kept(library: GuideLibrary, key: string, make: () => Content): string {
    const tools = key === TOOLS_PAGE ? this.tools.current : null;
    const known = this.pages.get(key);
    if (known && known.tools === tools) return known.markup;
    const markup = this.page(library, make());
    this.pages.set(key, { tools, markup });
    return markup;
  }

  private page(library: GuideLibrary, content: Content): string {
    return guidePage({
      current: null,
      headings: [],
      ...content,
      groups: library.groups,
      version,
      foot: footFacts(this.configuration),
    }).markup;
  }

  private send(response: HttpResponse, markup: string, status = 200): void {
    const headers = securityHeaders({ nonce: newNonce(), https: this.configuration.isHttps });
    response
      .status(status)
      .set({ ...headers, 'Cache-Control': 'public, no-cache' })
      .type('html')
      .send(markup);
  }
}

function contentsPage(library: GuideLibrary): Content {
  const parts = fill(library.contentsPage(), { search: searchForm('', 'page') });
  const more = library.unlisted;
  const body = html`${parts}
${more.length > 0 && html`<h2 id="more-guides">More guides</h2>${guideList(more)}`}`;
  return { title: library.contentsTitle, body };
}

function fill(
  parts: readonly (Html | GuideInsert)[],
  inserts: Readonly<Record<string, Html | undefined>>,
): (Html | null)[] {
  return parts.map((part) => ('insert' in part ? (inserts[part.insert] ?? null) : part));
}

function guideList(guides: readonly Guide[]): Html {
  return html`<ul>${guides.map(({ name, title, about }) => html`<li><a href="/docs/${name}">${title}</a>: ${about}</li>`)}</ul>`;
}

function sectionLink({ name }: Guide, { id, text }: GuideHeading): Html {
  return html`<li><a href="/docs/${name}#${id}">${text}</a></li>`;
}
