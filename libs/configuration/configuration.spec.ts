import { Configuration, ConfigurationError } from './configuration.js';

const problemsOf = (env: NodeJS.ProcessEnv): string[] => {
  try {
    Configuration.fromEnvironment(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems.map((p) => `${p.variable}: ${p.sentence}`);
    throw error;
  }
};

describe('Configuration', () => {
  it('platform 19.31: needs no variable at all', () => {
    const { values } = Configuration.fromEnvironment({});
    expect(values).toMatchObject({
      profile: 'local',
      role: 'all',
      host: '127.0.0.1',
      port: 3000,
      defaultUri: 'http://localhost:3000',
      databaseUrl: null,
    });
    expect(values.mcpAllowedHosts).toEqual(['localhost', '127.0.0.1', '[::1]']);
  });

  it('platform 19.25: names every wrong variable at once', () => {
    const problems = problemsOf({
      APP_ENV: 'prod',
      DEFAULT_URI: 'https://loupe.example.com',
      MCP_ALLOWED_HOSTS: 'https://x',
      APP_ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
    });
    expect(problems).toEqual([
      'APP_SECRET: is required with APP_ENV=prod.',
      'MCP_ALLOWED_HOSTS: "https://x" must be a host name alone: no scheme, port, path or *.',
    ]);
  });

  it('platform 19.32: prod without its variables names all three', () => {
    expect(problemsOf({ APP_ENV: 'prod' }).map((p) => p.split(':')[0])).toEqual([
      'DEFAULT_URI',
      'APP_SECRET',
      'APP_ENCRYPTION_KEY',
    ]);
  });

  it('platform 19.32: HOST=0.0.0.0 without APP_ENV=prod is refused and names it', () => {
    expect(problemsOf({ HOST: '0.0.0.0' })[0]).toContain('APP_ENV=prod');
    expect(problemsOf({ WORKER_HOST: '0.0.0.0' })[0]).toContain('WORKER_HOST: "0.0.0.0"');
  });

  it.each([
    ['ftp://x.example', 'must begin with'],
    ['not a url', 'not an absolute URL'],
    ['https://x.example/path', 'must have no path'],
    ['https://x.example?q=1', 'must have no path'],
    ['https://user@x.example', 'must have no path'],
  ])('refuses DEFAULT_URI %s', (uri, sentence) => {
    expect(problemsOf({ DEFAULT_URI: uri }).join()).toContain(sentence);
  });

  it('drops the trailing slash of DEFAULT_URI, and wants https in prod but for loopback', () => {
    expect(Configuration.fromEnvironment({ DEFAULT_URI: 'https://X.example/' }).values.defaultUri).toBe(
      'https://x.example',
    );
    const prod = {
      APP_ENV: 'prod',
      APP_SECRET: 'x'.repeat(32),
      APP_ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
    };
    expect(problemsOf({ ...prod, DEFAULT_URI: 'http://x.example' }).join()).toContain('must be https');
    expect(problemsOf({ ...prod, DEFAULT_URI: 'http://127.0.0.1:3000' })).toEqual([]);
  });

  it.each(['https://x', 'x:3000', 'x/path', '*.example.com'])(
    'refuses %s in MCP_ALLOWED_HOSTS and quotes it',
    (host) => {
      expect(problemsOf({ MCP_ALLOWED_HOSTS: `ok.example,${host}` }).join()).toContain(`"${host}"`);
    },
  );

  it('wants the first admin whole', () => {
    expect(problemsOf({ LOUPE_ADMIN_EMAIL: 'a@b.example' })[0]).toContain('LOUPE_ADMIN_PASSWORD');
  });

  it('takes a folder of workflow templates, as seen from where the process starts', () => {
    const folderOf = (env: NodeJS.ProcessEnv) =>
      Configuration.fromEnvironment(env).values.workflowTemplateDir;
    expect(folderOf({})).toBeNull();
    expect(folderOf({ WORKFLOW_TEMPLATE_DIR: ' ' })).toBeNull();
    expect(folderOf({ WORKFLOW_TEMPLATE_DIR: 'templates' })).toBe(`${process.cwd()}/templates`);
  });

  it('reads what generation needs: a model whole or none, exempt hosts with their port, bases without a slash', () => {
    const values = Configuration.fromEnvironment({
      ARTIFACT_FETCH_ALLOW: 'Intranet.example:8080, [::1]:80',
      ARTIFACT_MODEL_API: 'anthropic',
      ARTIFACT_MODEL_BASE_URL: 'https://models.example/',
      ARTIFACT_MODEL_NAME: 'maker',
      FIGMA_API_BASE: 'https://figma.example/api/',
    }).values;
    expect(values).toMatchObject({
      artifactFetchAllow: ['intranet.example:8080', '[::1]:80'],
      artifactModel: { api: 'anthropic', baseUrl: 'https://models.example', name: 'maker', key: null },
      figmaApiBase: 'https://figma.example/api',
      artifactBrowserPath: null,
    });
    expect(Configuration.fromEnvironment({}).values).toMatchObject({
      artifactFetchAllow: [],
      artifactModel: null,
      figmaApiBase: 'https://api.figma.com',
    });
    expect(problemsOf({ ARTIFACT_FETCH_ALLOW: 'intranet.example' })[0]).toContain('host:port');
    expect(problemsOf({ ARTIFACT_MODEL_NAME: 'maker' })[0]).toContain('ARTIFACT_MODEL_BASE_URL');
    expect(problemsOf({ ARTIFACT_MODEL_BASE_URL: 'ftp://x', ARTIFACT_MODEL_NAME: 'x' })[0]).toContain('http');
  });
});
