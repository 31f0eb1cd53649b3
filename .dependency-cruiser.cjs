// The layer rules of docs/architecture.md. Contexts may import only contexts above them in the context map.
const contexts = ['platform', 'identity', 'projects', 'documents', 'artifacts', 'board'];
const mayCall = {
  platform: [],
  identity: ['platform'],
  projects: ['platform', 'identity'],
  documents: ['platform', 'identity', 'projects'],
  artifacts: ['platform', 'identity', 'projects'],
  board: ['platform', 'identity', 'projects', 'documents', 'artifacts'],
};
/** Contexts that have areas, each with the rooms of a context: `src/board/cards/domain/`. */
const withAreas = ['board', 'artifacts'];

const AREA = `(?:(?:${withAreas.join('|')})/)?`;
const ROOMS = `^src/(${AREA}[a-z]+)/`;
const ANY_ROOMS = `^src/${AREA}[a-z]+/`;

const contextRules = contexts.flatMap((context) => {
  const own = `^src/${context}/`;
  const others = contexts.filter((other) => other !== context && !mayCall[context].includes(other));
  return [
    {
      name: `${context}-calls-only-contexts-above-it`,
      severity: 'error',
      comment:
        'The context map has no cycle; neither has the code. Use an event or a hook the other way round.',
      from: { path: own, pathNot: '\\.spec\\.ts$' },
      to: { path: [...others.map((other) => `^src/${other}/`), '^src/shell/'] },
    },
    {
      name: `${context}-is-reached-through-its-ports`,
      severity: 'error',
      comment: 'Another context is reached through its application/ports alone; module files bind the rest.',
      from: {
        path: `^src/(?!${context}/|shell/)[a-z]+/`,
        pathNot: ['\\.spec\\.ts$', '\\.module\\.ts$', '\\.bindings\\.ts$', '/testing/'],
      },
      to: { path: own, pathNot: `${own}${withAreas.includes(context) ? '[a-z]+/' : ''}application/ports/` },
    },
  ];
});

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-circles',
      severity: 'error',
      from: { pathNot: 'node_modules' },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'domain-is-pure',
      severity: 'error',
      comment:
        'Domain code knows the kernel, the anchoring rules and itself: no framework, no SQL, no other room.',
      from: { path: `${ROOMS}domain/`, pathNot: '\\.spec\\.ts$' },
      to: {
        pathNot: [
          '^src/$1/domain/',
          '^libs/(kernel|anchoring)/',
          '^(node:)?(buffer|crypto|url)$',
          'node_modules/any-ascii/',
        ],
      },
    },
    {
      name: 'application-looks-inwards',
      severity: 'error',
      from: { path: `${ROOMS}application/`, pathNot: '\\.spec\\.ts$' },
      to: { path: ['^src/$1/(infrastructure|interface)/', `${ANY_ROOMS}(infrastructure|interface)/`] },
    },
    {
      name: 'infrastructure-and-interface-do-not-meet',
      severity: 'error',
      from: { path: `${ROOMS}infrastructure/`, pathNot: '\\.spec\\.ts$' },
      to: { path: `${ANY_ROOMS}interface/` },
    },
    {
      name: 'interface-and-infrastructure-do-not-meet',
      severity: 'error',
      from: { path: `${ROOMS}interface/`, pathNot: '\\.spec\\.ts$' },
      to: { path: `${ANY_ROOMS}infrastructure/` },
    },
    ...withAreas.map((context) => ({
      name: `areas-of-${context}-are-reached-through-their-ports`,
      severity: 'error',
      from: {
        path: `^src/${context}/([a-z]+)/`,
        pathNot: ['\\.spec\\.ts$', '\\.module\\.ts$', '/testing/'],
      },
      to: {
        path: `^src/${context}/[a-z]+/`,
        pathNot: [`^src/${context}/$1/`, `^src/${context}/[a-z]+/application/ports/`],
      },
    })),
    {
      name: 'tools-translate-only',
      severity: 'error',
      comment: 'MCP tools call use cases; they hold no rule and reach no adapter.',
      from: { path: '^src/shell/mcp/.*\\.tools\\.ts$' },
      to: { path: `${ANY_ROOMS}(infrastructure|interface|domain)/`, pathNot: '/domain/limits\\.ts$' },
    },
    {
      name: 'libs-know-no-context',
      severity: 'error',
      from: { path: '^libs/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^src/' },
    },
    {
      name: 'the-command-knows-no-server',
      severity: 'error',
      comment: 'The `loupe` command is bundled alone and speaks to a server over HTTP only.',
      from: { path: '^libs/cli/', pathNot: ['\\.spec\\.ts$', '/testing/'] },
      to: { path: '^(src|libs/(?!cli/))' },
    },
    {
      name: 'frameworks-stay-outside',
      severity: 'error',
      comment:
        'TypeORM, BullMQ, Express and oidc-provider appear in infrastructure, libs and module files only.',
      from: {
        path: '^src/',
        pathNot: [
          '/infrastructure/',
          '\\.(module|bindings)\\.ts$',
          '\\.spec\\.ts$',
          '/testing/',
          '^src/[a-z-]+\\.ts$',
        ],
      },
      to: { path: 'node_modules/(typeorm|bullmq|express|oidc-provider|ioredis|pg)/' },
    },
    {
      name: 'product-code-imports-no-test-code',
      severity: 'error',
      from: { path: '^(src|libs)/', pathNot: ['\\.spec\\.ts$', '/testing/'] },
      to: { path: ['/testing/', '^test/'] },
    },
    ...contextRules,
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['^dist/', '^libs/web-app/'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      conditionNames: ['loupe-source', 'import', 'node', 'default'],
      exportsFields: ['exports'],
    },
  },
};
