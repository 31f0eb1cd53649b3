import { Problems } from '#libs/kernel/errors.js';
import { fitsValue, type SettingValue, type ValueDefinition, valueFault } from './template-value.js';
import type { WorkflowTemplate } from './workflow-template.js';

/** Settings by key; a key without an entry has the default of the template. */
export type SettingValues = Readonly<Record<string, SettingValue>>;

export interface ProjectWorkflowState {
  readonly projectId: string;
  readonly template: WorkflowTemplate;
  /** The template as data, kept with the project. */
  readonly snapshot: unknown;
  readonly digest: string;
  /** Only what somebody set. */
  readonly values: SettingValues;
  /** The switch of the project. */
  readonly enabled: boolean;
  /** Grows by one with every change of switch or values. */
  readonly version: number;
  readonly boundAt: Date;
}

/** What somebody wants changed; what is left out stays. */
export interface SettingsChange {
  readonly enabled?: boolean;
  readonly values?: Readonly<Record<string, unknown>>;
}

/** Who changes settings: a person in the browser, or an agent through its connection. */
export type SettingsEditor = 'owner' | 'agent';

/** One setting that is another now. */
export interface ChangedSetting {
  readonly key: string;
  readonly old: SettingValue;
  readonly new: SettingValue;
}

const AGENT_ONLY = 'An agent changes this with automation_settings_update.';

/** How a project uses its template: the switch and the values. It decides who may set what to what. */
export class ProjectWorkflow {
  private constructor(private current: ProjectWorkflowState) {}

  static bind(
    projectId: string,
    source: { readonly template: WorkflowTemplate; readonly data: unknown; readonly digest: string },
    now: Date,
  ): ProjectWorkflow {
    const { template, data: snapshot, digest } = source;
    const fresh = { values: {}, enabled: true, version: 1, boundAt: now };
    return new ProjectWorkflow({ projectId, template, snapshot, digest, ...fresh });
  }

  static restore(state: ProjectWorkflowState): ProjectWorkflow {
    return new ProjectWorkflow(state);
  }

  get state(): ProjectWorkflowState {
    return this.current;
  }

  /** The value of a setting; undefined when the template has no such setting. */
  value(key: string): SettingValue | undefined {
    const definition = this.definition(key);
    return definition && (this.current.values[key] ?? definition.default);
  }

  /**
   * Changes the switch and values.
   * @returns what is another now, the switch as `enabled`; nothing leaves the version as it was.
   * @throws InvalidInput with every value that is unknown, of a wrong shape, or not for this editor.
   */
  change({ enabled, values = {} }: SettingsChange, editor: SettingsEditor): ChangedSetting[] {
    const problems = new Problems();
    const next: Record<string, SettingValue> = { ...this.current.values };
    const changed: ChangedSetting[] = [];
    for (const [key, wanted] of Object.entries(values)) {
      const sentence = this.refusal(key, wanted, editor);
      if (sentence !== null) {
        problems.add(key, sentence);
        continue;
      }
      const old = this.value(key) as SettingValue;
      next[key] = wanted as SettingValue;
      if (!same(old, wanted)) changed.push({ key, old, new: wanted as SettingValue });
    }
    problems.throwIfAny();
    const before = this.current;
    if (enabled !== undefined && enabled !== before.enabled) {
      changed.unshift({ key: 'enabled', old: before.enabled, new: enabled });
    }
    if (changed.length > 0) {
      const version = before.version + 1;
      this.current = { ...before, values: next, enabled: enabled ?? before.enabled, version };
    }
    return changed;
  }

  /**
   * Takes a newer version of the template. Values that it still has and that still fit are kept, others fall back to
   * their default.
   * @returns keys of the values that were dropped.
   */
  upgradeTo(source: {
    readonly template: WorkflowTemplate;
    readonly data: unknown;
    readonly digest: string;
  }): string[] {
    const { template, data: snapshot, digest } = source;
    const definitions = new Map(template.values.map((value) => [value.key, value]));
    const [kept, dropped]: [Record<string, SettingValue>, string[]] = [{}, []];
    for (const [key, value] of Object.entries(this.current.values)) {
      const definition = definitions.get(key);
      if (definition && fitsValue(definition, value)) kept[key] = value;
      else dropped.push(key);
    }
    const version = this.current.version + 1;
    this.current = { ...this.current, template, snapshot, digest, values: kept, version };
    return dropped;
  }

  private refusal(key: string, wanted: unknown, editor: SettingsEditor): string | null {
    const definition = this.definition(key);
    if (!definition) return 'The template of this project has no such value.';
    if (definition.editable === 'agent' && editor === 'owner') return AGENT_ONLY;
    if (definition.editable === 'owner' && editor === 'agent')
      return 'A maintainer changes this in the browser.';
    return valueFault(definition, wanted);
  }

  private definition(key: string): ValueDefinition | undefined {
    return this.current.template.values.find((value) => value.key === key);
  }
}

/** Sets are equal whatever their order. */
function same(a: unknown, b: unknown): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return a === b;
  return a.length === b.length && a.every((one) => b.includes(one));
}
