import type { BoolFlag, EnumFlag, FlagDefinition, IntFlag, ListFlag, StringFlag } from './flag-definition.js';

const bool = (
  context: string,
  name: string,
  value: boolean,
  description: string,
  refusal?: string,
): BoolFlag => ({ type: 'bool', context, name, default: value, description, refusal });

const int = (
  context: string,
  name: string,
  value: number,
  description: string,
  bounds: Pick<IntFlag, 'min'> & Partial<Pick<IntFlag, 'max' | 'outside' | 'floor'>> = { min: 1 },
): IntFlag => ({ type: 'int', context, name, default: value, description, outside: 'nearest', ...bounds });

const text = (
  context: string,
  name: string,
  value: string,
  description: string,
  minLength: number,
  maxLength: number,
): StringFlag => ({ type: 'string', context, name, default: value, description, minLength, maxLength });

const choice = (
  context: string,
  name: string,
  value: string,
  description: string,
  values: readonly string[],
): EnumFlag => ({ type: 'enum', context, name, default: value, description, values });

const list = (context: string, name: string, value: readonly string[], description: string): ListFlag => ({
  type: 'list',
  context,
  name,
  default: value,
  description,
});

const off = (what: string, plural = false): string =>
  `${what} ${plural ? 'are' : 'is'} switched off on this instance.`;

/** Every flag of the instance, in the order of the admin page. A new flag is a line here and a row in `docs/flags.md`. */
export const FLAGS: readonly FlagDefinition[] = [
  bool('identity', 'registration.enabled', true, 'People may sign up by themselves.'),
  int(
    'identity',
    'registration.max_people',
    0,
    'Sign-up closes at this number of people; 0 means no limit.',
    { min: 0 },
  ),
  bool(
    'identity',
    'registration.by_invitation',
    true,
    'A project invitation with an address opens sign-up for that address.',
  ),
  int(
    'identity',
    'rate_limit.api_per_minute',
    300,
    'Bearer and anonymous requests to the API and the MCP endpoint per address and minute.',
    { min: 30, max: 100_000 },
  ),
  bool(
    'platform',
    'live_updates.enabled',
    true,
    'Pages follow changes over an event stream; off, they refresh when they get the focus.',
    off('Live updates', true),
  ),
  int('platform', 'audit.retention_days', 180, 'Age in days at which audit records are purged.'),
  int('inbox', 'activity.retention_days', 180, 'Age in days at which rows of the Activity log are purged.'),
  bool(
    'platform',
    'exports.enabled',
    true,
    'People may ask for an export of their data.',
    off('Data exports', true),
  ),
  choice(
    'artifacts',
    'mcp.action_and_reasoning',
    'optional',
    'Whether the artifact tools take the extra argument action_and_reasoning.',
    ['off', 'optional', 'required'],
  ),
  text(
    'cli',
    'cli.homebrew_tap',
    '',
    'Homebrew tap whose install line the Connect page shows; empty shows none.',
    0,
    100,
  ),
  bool(
    'board',
    'board.enabled',
    true,
    'Board, cards, feedback, workflow and forge: pages and tools.',
    off('The board'),
  ),
  bool(
    'workflow',
    'workflow.enabled',
    true,
    'Workflows of the whole instance; off, moves by hand are free and no rule acts, facts and pages stay.',
    off('The workflow'),
  ),
  bool(
    'workflow',
    'forge.github.enabled',
    true,
    'GitHub connections and webhooks are served.',
    off('The GitHub connection'),
  ),
  bool(
    'site-review',
    'site_review.drawing.enabled',
    true,
    'The review widget has a drawing tool; saved drawings still show when off.',
    off('Drawing'),
  ),
  bool(
    'documents',
    'review.highlights.enabled',
    false,
    'Agents may tint passages of a document with document_highlight.',
    off('Highlights', true),
  ),
  bool(
    'documents',
    'review.diagrams.enabled',
    false,
    'Diagram blocks of documents are drawn.',
    off('Diagrams', true),
  ),
  bool('inbox', 'inbox.enabled', false, 'Inbox pages, tools and automatic items.', off('The inbox')),
  int(
    'inbox',
    'inbox.session_prompt_max_length',
    2000,
    'Longest prompt of a suggestion to start a session, in characters.',
    { min: 100, max: 20_000, outside: 'default' },
  ),
  int('inbox', 'inbox.max_open_items', 500, 'Open items of agents per project.'),
  bool(
    'inbox',
    'inbox.email_notifications.enabled',
    false,
    'New inbox items are also sent by mail.',
    off('Mail for inbox items'),
  ),
  bool(
    'workers',
    'agent.push.enabled',
    true,
    'Bridges have their endpoints and event stream.',
    off('The bridge API'),
  ),
  int('workers', 'bridge.heartbeat_interval_seconds', 60, 'Seconds between two reports of a bridge.', {
    min: 10,
    outside: 'default',
  }),
  int(
    'workers',
    'bridge.command_ttl_minutes',
    15,
    'Minutes that a bridge command waits for somebody to take it.',
    { min: 1, outside: 'default' },
  ),
  int(
    'workers',
    'bridge.work_request_lease_seconds',
    120,
    'Seconds that a claim lives without a heartbeat; at least two heartbeats.',
    {
      min: 1,
      floor: { words: 'two heartbeats', of: (read) => 2 * read('bridge.heartbeat_interval_seconds') },
    },
  ),
  int(
    'workers',
    'bridge.takeover_minutes',
    15,
    'Minutes after a lapsed lease before another bridge may claim.',
    { min: 1, outside: 'default' },
  ),
  int(
    'workers',
    'bridge.subject_work_timeout_minutes',
    120,
    'Minutes that an unclaimed work request lives by default.',
    { min: 1, outside: 'default' },
  ),
  int('workers', 'bridge.stop_sigterm_after_ms', 7500, 'Milliseconds from a stop to SIGTERM.', {
    min: 100,
    outside: 'default',
  }),
  int('workers', 'bridge.stop_sigkill_after_ms', 2500, 'Milliseconds from SIGTERM to SIGKILL.', {
    min: 100,
    outside: 'default',
  }),
  bool(
    'workers',
    'bridge.host_sampling_enabled',
    false,
    'Bridges send samples of the load of their host.',
    off('Host sampling'),
  ),
  int('workers', 'bridge.host_sample_interval_seconds', 60, 'Seconds between two host samples.', {
    min: 5,
    outside: 'default',
  }),
  int(
    'workers',
    'bridge.run_retention_days',
    180,
    'Age in days at which worker runs, their calls and samples are purged.',
  ),
  text('analytics', 'insights.default_analysis_model', 'sonnet', 'Model of a new analysis.', 1, 64),
  choice('analytics', 'insights.default_analysis_effort', 'medium', 'Effort of a new analysis.', [
    'low',
    'medium',
    'high',
    'xhigh',
    'max',
  ]),
  list(
    'analytics',
    'insights.subcommand_programs',
    ['git', 'just', 'npm', 'pnpm', 'yarn', 'cargo', 'go', 'docker', 'gh', 'composer', 'make', 'pip', 'uv'],
    'Programs whose second word is kept in the signature of a command.',
  ),
  bool(
    'artifacts',
    'artifacts.enabled',
    false,
    'Everything of artifacts: pages and tools.',
    off('Artifacts', true),
  ),
  bool(
    'artifacts',
    'artifacts.create.enabled',
    true,
    'Tools may create and edit artifacts; pages and CLI push stay.',
    off('Creating artifacts'),
  ),
  bool(
    'artifacts',
    'artifacts.generation.enabled',
    true,
    'Artifacts of the types p2c, l2c and f2c may be generated.',
    off('Generating artifacts'),
  ),
  bool(
    'artifacts',
    'artifacts.git.enabled',
    true,
    'Artifacts may be cloned and pushed over git.',
    off('Git access to artifacts'),
  ),
  bool(
    'artifacts',
    'artifacts.typed.enabled',
    true,
    'Charts and tables of conversations: tools and pages.',
    off('Typed artifacts', true),
  ),
  bool(
    'artifacts',
    'artifacts.publish.enabled',
    false,
    'Artifacts may be published as live pages.',
    off('Publishing artifacts'),
  ),
  bool(
    'artifacts',
    'artifacts.public_links.enabled',
    false,
    'Previews may be public; off, public counts as private.',
    off('Public previews', true),
  ),
  bool(
    'artifacts',
    'artifacts.aliases.listed',
    true,
    'Compatibility names of the artifact tools are listed.',
  ),
  list(
    'artifacts',
    'artifacts.generators.p2c',
    ['model-endpoint', 'bridge-worker'],
    'Generators for prompts, in the order in which they are tried.',
  ),
  list(
    'artifacts',
    'artifacts.generators.l2c',
    ['website-snapshot', 'bridge-worker'],
    'Generators for links, in the order in which they are tried.',
  ),
  list(
    'artifacts',
    'artifacts.generators.f2c',
    ['figma-rest', 'bridge-worker'],
    'Generators for Figma files, in the order in which they are tried.',
  ),
  list(
    'artifacts',
    'artifacts.preview_modules',
    ['react', 'react-dom'],
    'Modules that a preview build may import.',
  ),
  int('artifacts', 'artifacts.inline_max_bytes', 131_072, 'Bytes of all inline files of one call.'),
  int('artifacts', 'artifacts.inline_max_files', 1000, 'Inline files of one call.'),
  int('artifacts', 'artifacts.zip_max_bytes', 52_428_800, 'Bytes of an uploaded zip.'),
  int(
    'artifacts',
    'artifacts.zip_max_inflated_bytes',
    209_715_200,
    'Bytes of an uploaded zip when unpacked.',
  ),
  int('artifacts', 'artifacts.zip_max_entries', 2000, 'Entries of an uploaded zip.'),
  int(
    'artifacts',
    'artifacts.zip_max_ratio',
    200,
    'How many times larger an entry of a zip may be than its packed form.',
  ),
  int('artifacts', 'artifacts.file_max_bytes', 26_214_400, 'Bytes of one stored file.'),
  int('artifacts', 'artifacts.version_max_bytes', 209_715_200, 'Bytes of all files of one version.'),
  int('artifacts', 'artifacts.version_max_files', 2000, 'Files of one version.'),
  int('artifacts', 'artifacts.versions_max', 500, 'Versions of one artifact.'),
  int('artifacts', 'artifacts.project_max_artifacts', 2000, 'Artifacts of one project.'),
  int('artifacts', 'artifacts.project_max_bytes', 5_368_709_120, 'Bytes of all artifacts of one project.'),
  int('artifacts', 'artifacts.git_push_max_bytes', 62_914_560, 'Bytes of one git push.'),
  int('artifacts', 'artifacts.git_repository_max_bytes', 524_288_000, 'Bytes of one git repository.'),
  int('artifacts', 'artifacts.git_max_branches', 50, 'Branches of one git repository.'),
  int('artifacts', 'artifacts.git_max_tags', 50, 'Tags of one git repository.'),
  int('artifacts', 'artifacts.generation_max_active', 3, 'Active generation jobs of one person.'),
  int('artifacts', 'artifacts.creates_per_hour', 30, 'Artifacts that one person may create in an hour.'),
  int('artifacts', 'artifacts.uploads_per_hour', 60, 'Uploads of one person in an hour.'),
  int('artifacts', 'artifacts.git_tokens_per_hour', 60, 'Git tokens of one person in an hour.'),
  int('artifacts', 'artifacts.typed_per_hour', 300, 'Typed artifacts of one person in an hour.'),
];

const BY_NAME = new Map(FLAGS.map((flag) => [flag.name, flag]));

/** The definition of a flag, or undefined for a name that no definition knows. */
export function flagNamed(name: string): FlagDefinition | undefined {
  return BY_NAME.get(name);
}
