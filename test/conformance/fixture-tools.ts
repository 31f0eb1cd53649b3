import { createHmac, randomUUID } from 'node:crypto';
import {
  type CallToolResult,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
} from '@modelcontextprotocol/server';

type Responses = Readonly<Record<string, unknown>>;

/** What a fixture sees of its call. */
export interface FixtureCall {
  readonly args: Readonly<Record<string, unknown>>;
  /** Answers of the client to what an earlier round asked; empty in the first round. */
  readonly responses: Responses;
  readonly state: string | undefined;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly progressToken: string | number | undefined;
  notify(notification: { method: string; params: Record<string, unknown> }): Promise<void>;
  /** Tells listeners that the list of tools changed. */
  toolsChanged(): void;
}

export type Fixture = (call: FixtureCall) => object | Promise<object>;

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=';
const SECRET = randomUUID();

const text = (content: string): CallToolResult => ({ content: [{ type: 'text', text: content }] });
const image = { type: 'image', data: PNG, mimeType: 'image/png' };
const resource = (uri: string, mimeType: string, content: string) => ({
  type: 'resource',
  resource: { uri, mimeType, text: content },
});

const elicit = (message: string, field: string, type = 'string') => ({
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message,
    requestedSchema: { type: 'object', properties: { [field]: { type } }, required: [field] },
  },
});
const sample = (prompt: string, maxTokens: number) => ({
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text: prompt } }], maxTokens },
});
const roots = { method: 'roots/list', params: {} };

const ask = (inputRequests: Record<string, object>, requestState?: string) => ({
  resultType: 'input_required',
  inputRequests,
  ...(requestState === undefined ? {} : { requestState }),
});

/** State that comes back from the client is only good with this signature. */
const signed = (state: string) => `${state}.${createHmac('sha256', SECRET).update(state).digest('hex')}`;

function verified(state: string | undefined): string | undefined {
  if (state === undefined) return undefined;
  const plain = state.slice(0, state.lastIndexOf('.'));
  if (signed(plain) !== state) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid or expired requestState');
  }
  return plain;
}

function fieldOf(responses: Responses, key: string, field: string): string | null {
  const content = (responses[key] as { content?: Record<string, unknown> } | undefined)?.content;
  const value = content?.[field];
  return typeof value === 'string' ? value : null;
}

const asksForName: Fixture = ({ responses }) => {
  const name = fieldOf(responses, 'user_name', 'name');
  return name === null ? ask({ user_name: elicit('What is your name?', 'name') }) : text(`Hello, ${name}!`);
};

/** Tools that the conformance suite calls by name, with the behaviour that it describes. */
export const FIXTURES: Readonly<Record<string, Fixture>> = {
  test_simple_text: () => text('This is a simple text response for testing.'),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] }),
  test_embedded_resource: () => ({
    content: [resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  }),
  test_multiple_content_types: () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      image,
      resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  }),
  test_error_handling: () => ({
    ...text('This tool intentionally returns an error for testing'),
    isError: true,
  }),
  test_tool_with_progress: async ({ progressToken, notify }) => {
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined) {
        await notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
      }
      await new Promise((done) => setTimeout(done, 20));
    }
    return text('Done.');
  },
  test_missing_capability: ({ capabilities }) => {
    if (!capabilities.sampling) {
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
    }
    return text('The client can sample.');
  },
  test_streaming_elicitation: asksForName,
  test_logging_tool: () => text('Nothing was logged, as no level was asked for.'),
  test_trigger_tool_change: ({ toolsChanged }) => {
    toolsChanged();
    return text('Changed.');
  },
  json_schema_2020_12_tool: () => text('Fine.'),
  test_input_required_result_elicitation: asksForName,
  test_input_required_result_sampling: ({ responses }) => {
    const answer = responses.capital_question as { content?: { text?: string } } | undefined;
    return answer
      ? text(String(answer.content?.text))
      : ask({ capital_question: sample('What is the capital of France?', 100) });
  },
  test_input_required_result_list_roots: ({ responses }) => {
    const answer = responses.client_roots as { roots?: unknown[] } | undefined;
    return answer?.roots ? text(`Roots: ${JSON.stringify(answer.roots)}`) : ask({ client_roots: roots });
  },
  test_input_required_result_request_state: ({ responses, state }) =>
    verified(state) !== undefined && responses.confirm
      ? text('state-ok')
      : ask({ confirm: elicit('Please confirm', 'ok', 'boolean') }, signed('confirm')),
  test_input_required_result_tampered_state: ({ responses, state }) =>
    verified(state) !== undefined && responses.confirm
      ? text('state-ok')
      : ask({ confirm: elicit('Please confirm', 'ok', 'boolean') }, signed('confirm')),
  test_input_required_result_multiple_inputs: ({ responses, state }) =>
    verified(state) !== undefined && responses.user_name && responses.greeting && responses.client_roots
      ? text('All answers came.')
      : ask(
          {
            user_name: elicit('What is your name?', 'name'),
            greeting: sample('Generate a greeting', 50),
            client_roots: roots,
          },
          signed('all'),
        ),
  test_input_required_result_multi_round: ({ responses, state }) => {
    const round = verified(state);
    if (round === '2' && responses.step2) return text('Both steps came.');
    if (round === '1' && responses.step1) {
      return ask({ step2: elicit('Step 2: What is your favorite color?', 'color') }, signed('2'));
    }
    return ask({ step1: elicit('Step 1: What is your name?', 'name') }, signed('1'));
  },
  test_input_required_result_capabilities: ({ capabilities, responses }) => {
    if (Object.keys(responses).length > 0) return text('Thank you.');
    return ask({
      ...(capabilities.sampling ? { joke: sample('Tell a joke', 50) } : {}),
      ...(capabilities.elicitation ? { user_name: elicit('What is your name?', 'name') } : {}),
    });
  },
};

/** Lets the fixtures answer past the runner: their results are no objects of the product. */
export function serveFixtures(server: Server, toolsChanged: () => void): void {
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const fixture = FIXTURES[params.name];
    if (!fixture) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
    const { mcpReq } = context;
    const envelope = mcpReq.envelope as Record<string, unknown> | undefined;
    const result = await fixture({
      args: params.arguments ?? {},
      responses: mcpReq.inputResponses ?? {},
      state: mcpReq.requestState<string>(),
      capabilities: (envelope?.['io.modelcontextprotocol/clientCapabilities'] ?? {}) as Record<
        string,
        unknown
      >,
      progressToken: mcpReq._meta?.progressToken as string | number | undefined,
      notify: (notification) => mcpReq.notify(notification as never),
      toolsChanged,
    });
    return result as CallToolResult;
  });
}
