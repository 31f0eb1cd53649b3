import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { applicationRoot } from '#libs/configuration/application-root.js';
import { type FlagDefinition, parseFlag, readFlag } from './flag-definition.js';
import { FLAGS, flagNamed } from './flag-registry.js';
import { flagTable } from './flag-table.js';

const heartbeat = (seconds: number) => (name: string) => {
  if (name !== 'bridge.heartbeat_interval_seconds') throw new Error(`${name} was read.`);
  return seconds;
};
const none = (name: string): number => {
  throw new Error(`${name} was read.`);
};
const flag = (name: string): FlagDefinition => flagNamed(name)!;

describe('Reading a stored flag', () => {
  it.each([
    ['audit.retention_days', '0', 1, true],
    ['audit.retention_days', '-5', 1, true],
    ['audit.retention_days', '30', 30, false],
    ['audit.retention_days', 'ten', 180, true],
    ['rate_limit.api_per_minute', '5', 30, true],
    ['rate_limit.api_per_minute', '1000000', 100_000, true],
    ['inbox.session_prompt_max_length', '99', 2000, true],
    ['inbox.session_prompt_max_length', '20001', 2000, true],
    ['bridge.heartbeat_interval_seconds', '9', 60, true],
    ['bridge.heartbeat_interval_seconds', '10', 10, false],
    ['bridge.stop_sigterm_after_ms', '99', 7500, true],
    ['bridge.host_sample_interval_seconds', '4', 60, true],
    ['registration.max_people', '0', 0, false],
    ['board.enabled', 'yes', true, true],
    ['inbox.enabled', 'true', true, false],
    ['insights.default_analysis_effort', 'extreme', 'medium', true],
    ['insights.default_analysis_model', '', 'sonnet', true],
    [
      'insights.subcommand_programs',
      ' , ',
      ['git', 'just', 'npm', 'pnpm', 'yarn', 'cargo', 'go', 'docker', 'gh', 'composer', 'make', 'pip', 'uv'],
      true,
    ],
    ['artifacts.preview_modules', 'react, @scope/x ', ['react', '@scope/x'], false],
  ])('%s stored as "%s" reads as %j', (name, stored, value, outOfRange) => {
    expect(readFlag(flag(name), stored, none)).toEqual({ value, outOfRange });
  });

  it('reads a lease below two heartbeats as two heartbeats, also when it is the default', () => {
    const lease = flag('bridge.work_request_lease_seconds');
    expect(readFlag(lease, '30', heartbeat(60))).toEqual({ value: 120, outOfRange: true });
    expect(readFlag(lease, '130', heartbeat(60))).toEqual({ value: 130, outOfRange: false });
    expect(readFlag(lease, undefined, heartbeat(300))).toEqual({ value: 600, outOfRange: false });
  });
});

describe('Entering a flag', () => {
  it.each([
    ['board.enabled', false, { stored: 'false' }],
    ['board.enabled', 'on', { problem: 'must be true or false' }],
    ['audit.retention_days', 0, { problem: 'must be a whole number of at least 1' }],
    ['audit.retention_days', 1.5, { problem: 'must be a whole number of at least 1' }],
    ['audit.retention_days', '7', { stored: '7' }],
    ['rate_limit.api_per_minute', 1e9, { problem: 'must be a whole number from 30 to 100000' }],
    ['mcp.action_and_reasoning', 'maybe', { problem: 'must be one of off, optional, required' }],
    ['cli.homebrew_tap', '  acme/tap ', { stored: 'acme/tap' }],
    ['cli.homebrew_tap', 'a\nb', { problem: 'must be one line of 0 to 100 characters' }],
    ['insights.default_analysis_model', ' ', { problem: 'must be one line of 1 to 64 characters' }],
    ['artifacts.preview_modules', ['react', ' react ', 'vue'], { stored: 'react,vue' }],
    ['artifacts.preview_modules', [], { problem: 'must name at least one entry, separated by commas' }],
    [
      'artifacts.preview_modules',
      ['<x>'],
      { problem: '"<x>" is no name: use letters, digits and @ . _ / + -' },
    ],
    ['board.enabled', null, { problem: 'must be true or false' }],
  ])('%s = %j gives %j', (name, given, expected) => {
    expect(parseFlag(flag(name), given, none)).toEqual(expected);
  });

  it('names the bound that follows the heartbeat', () => {
    expect(parseFlag(flag('bridge.work_request_lease_seconds'), 60, heartbeat(60))).toEqual({
      problem: 'must be a whole number of at least 120 (two heartbeats)',
    });
  });
});

describe('The registry of flags', () => {
  it('has names of the right form, each once', () => {
    for (const { name } of FLAGS) expect(name).toMatch(/^[a-z][a-z0-9_.]{2,63}$/);
    expect(new Set(FLAGS.map(({ name }) => name)).size).toBe(FLAGS.length);
  });

  it('has defaults that its own rules accept', () => {
    const int = (name: string): number => (flag(name) as { default: number }).default;
    for (const definition of FLAGS) {
      const given = definition.type === 'list' ? [...definition.default] : definition.default;
      expect([definition.name, parseFlag(definition, given, int).problem]).toEqual([
        definition.name,
        undefined,
      ]);
    }
  });

  it('platform 2.1: gates refuse with the sentences of the gate table', () => {
    expect(
      Object.fromEntries(
        [
          'review.highlights.enabled',
          'board.enabled',
          'inbox.enabled',
          'artifacts.enabled',
          'artifacts.create.enabled',
          'artifacts.generation.enabled',
          'artifacts.git.enabled',
          'artifacts.publish.enabled',
          'artifacts.typed.enabled',
        ].map((name) => [name, flag(name).refusal]),
      ),
    ).toEqual({
      'review.highlights.enabled': 'Highlights are switched off on this instance.',
      'board.enabled': 'The board is switched off on this instance.',
      'inbox.enabled': 'The inbox is switched off on this instance.',
      'artifacts.enabled': 'Artifacts are switched off on this instance.',
      'artifacts.create.enabled': 'Creating artifacts is switched off on this instance.',
      'artifacts.generation.enabled': 'Generating artifacts is switched off on this instance.',
      'artifacts.git.enabled': 'Git access to artifacts is switched off on this instance.',
      'artifacts.publish.enabled': 'Publishing artifacts is switched off on this instance.',
      'artifacts.typed.enabled': 'Typed artifacts are switched off on this instance.',
    });
  });

  it('platform 5.2: is the list that the documentation shows', () => {
    const page = readFileSync(join(applicationRoot, 'docs', 'flags.md'), 'utf8');
    const rows = page.split('\n').filter((line) => line.startsWith('|'));
    expect(rows.join('\n')).toBe(flagTable());
  });
});
