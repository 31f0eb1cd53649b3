import type { FlagDefinition } from './flag-definition.js';
import { FLAGS } from './flag-registry.js';

/** The registry as the Markdown table of `docs/flags.md`. */
export function flagTable(flags: readonly FlagDefinition[] = FLAGS): string {
  const rows = flags.map(
    (flag) =>
      `| \`${flag.name}\` | ${typeOf(flag)} | ${defaultOf(flag)} | ${flag.description} | ${flag.context} |`,
  );
  return ['| Flag | Type | Default | Meaning | Context |', '|---|---|---|---|---|', ...rows].join('\n');
}

function typeOf(flag: FlagDefinition): string {
  switch (flag.type) {
    case 'int': {
      const range = flag.max === undefined ? `≥ ${flag.min}` : `${flag.min}–${flag.max}`;
      const outside = flag.floor
        ? `, below ${flag.floor.words} reads as that`
        : flag.outside === 'default'
          ? ', outside reads as default'
          : '';
      return `int ${range}${outside}`;
    }
    case 'string':
      return `string ${flag.minLength}–${flag.maxLength}`;
    case 'enum':
      return `enum ${flag.values.map((value) => `\`${value}\``).join(', ')}`;
    default:
      return flag.type;
  }
}

function defaultOf(flag: FlagDefinition): string {
  if (flag.type === 'list') return `\`${flag.default.join(',')}\``;
  return flag.default === '' ? 'empty' : flag.type === 'bool' ? String(flag.default) : `\`${flag.default}\``;
}
