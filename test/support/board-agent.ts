import type { Json } from './loupe-app.js';
import { AppSignIn, callTool, type McpAnswer, mcp } from './settled-server.js';
import type { Visitor } from './visitor.js';

type Answer = Record<string, Json>;

/** An agent that works on the board of one project over MCP. */
export class BoardAgent {
  constructor(
    private readonly origin: string,
    private readonly token: string,
  ) {}

  /** Signs an agent in for a project by the consent page, as its person. */
  static async signedIn(visitor: Visitor, projectId: string, origin: string): Promise<BoardAgent> {
    const { access_token: token } = await AppSignIn.complete(visitor, projectId);
    return new BoardAgent(origin, token);
  }

  /** The same agent at another process. */
  at(origin: string): BoardAgent {
    return new BoardAgent(origin, this.token);
  }

  raw(name: string, args: object = {}, headers: Record<string, string> = {}): Promise<McpAnswer> {
    return callTool(this.origin, this.token, name, args, headers);
  }

  /** The result of a tool. @throws Error with the refusal. */
  async call(name: string, args: object = {}, headers: Record<string, string> = {}): Promise<Answer> {
    const answer = await this.raw(name, args, headers);
    const { result } = answer.body;
    if (!result || result.isError) throw new Error(textOf(answer));
    return result.structuredContent as Answer;
  }

  /** What a refused call says. @throws Error when it was not refused. */
  async refusal(name: string, args: object = {}): Promise<string> {
    const answer = await this.raw(name, args);
    if (!answer.body.result?.isError) {
      throw new Error(`${name} was not refused: ${JSON.stringify(answer.body).slice(0, 500)}`);
    }
    return textOf(answer);
  }

  async listed(): Promise<string[]> {
    const { body } = await mcp(this.origin, this.token, 'tools/list');
    return (body.result?.tools ?? []).map(({ name }) => name);
  }

  create(title: string, more: object = {}): Promise<Answer> {
    return this.call('card_create', { title, body: '', ...more });
  }

  update(number: number, change: object): Promise<Answer> {
    return this.call('card_update', { number, ...change });
  }

  get(number: number): Promise<Answer> {
    return this.call('card_get', { number });
  }
}

function textOf({ status, body }: McpAnswer): string {
  return body.result?.content?.[0]?.text ?? `${status} ${JSON.stringify(body).slice(0, 500)}`;
}
