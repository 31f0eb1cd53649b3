import { ClientSite } from '../support/agent.js';
import { LoupeServer } from '../support/loupe-server.js';
import { AppSignIn, adminEnv, callTool, newProject, signedIn } from '../support/settled-server.js';
import { supportedNodes } from '../support/supported-nodes.js';

const others = supportedNodes.filter(({ node }) => node !== process.execPath);
const describeOthers =
  others.length > 0 ? describe.each(others) : describe.skip.each([{ version: '', node: '' }]);

/** The rest of the suites runs on one release of Node.js; this is what depends on the release: native parts and children. */
describeOthers('the server on $version', ({ node }) => {
  let site: ClientSite;
  let server: LoupeServer;

  beforeAll(async () => {
    site = await ClientSite.start();
    server = await LoupeServer.start({ node, env: { ...site.env, ...adminEnv } });
  }, 120_000);
  afterAll(async () => {
    await server?.stop();
    await site?.stop();
  });

  it('signs people and agents in, renders a document, stores and builds an artifact, and stops in order', async () => {
    const ada = await signedIn(server.origin);
    await ada.api('PUT', '/admin/flags/artifacts.enabled', { value: true });
    const projectId = await newProject(ada, 'Ferry');
    const { access_token } = await AppSignIn.complete(ada, projectId);
    const call = async (tool: string, args: object): Promise<Record<string, string>> => {
      const { body } = await callTool(server.origin, access_token, tool, args);
      if (!body.result || body.result.isError) throw new Error(JSON.stringify(body));
      return body.result.structuredContent as Record<string, string>;
    };
    const filed = await call('document_create', {
      title: 'A plan',
      markdown: '# Plan\n\n```ts\nconst a = 1;\n```\n',
    });
    const review = await ada.request(`/api/projects/${projectId}/documents/${filed.documentId}/review`);
    expect(review.status).toBe(200);
    const { artifactId } = await call('artifact_create', {
      type: 'import',
      name: 'Counter',
      framework: 'react',
      files: {
        'index.html': '<div id="root"></div><script type="module" src="./main.jsx"></script>',
        'main.jsx':
          "import { createRoot } from 'react-dom/client';\ncreateRoot(document.getElementById('root')).render(<p>Hello</p>);\n",
      },
    });
    const ticket = await ada.api<{ baseUrl: string }>(
      'GET',
      `/projects/${projectId}/artifacts/${artifactId}/preview-ticket`,
    );
    const page = await (await fetch(ticket.body.baseUrl)).text();
    const [, script] = /<script type="module" src="([^"]+preview-build[^"]+)">/.exec(page) ?? [];
    const built = await fetch(new URL(script!, ticket.body.baseUrl));
    expect([built.status, (await built.text()).includes('Hello')]).toEqual([200, true]);
    expect(await server.terminate()).toBe(0);
  }, 120_000);
});
