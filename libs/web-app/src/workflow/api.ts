import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { api } from '../api/client';
import { useLive } from '../api/live';

export interface TemplateChoice {
  readonly key: string;
  readonly version: number;
  readonly label: string;
  readonly description: string;
}

/** What Loupe does with the rules in this release; the server writes the notice. */
export interface Engine {
  readonly acts: boolean;
  readonly notice: string | null;
}

export type SettingValue = boolean | number | string | readonly string[];

export interface AutomationValue {
  readonly key: string;
  readonly type: 'bool' | 'int' | 'choice' | 'set' | 'branch-pattern';
  readonly value: SettingValue;
  readonly default: SettingValue;
  readonly min: number | null;
  readonly max: number | null;
  readonly options: readonly string[];
  readonly editable: 'owner' | 'agent';
  readonly permission: string | null;
}

export interface Automation {
  readonly enabled: boolean;
  readonly values: readonly AutomationValue[];
  readonly engine: Engine;
  /** Permissions that the connected code host has; null while none is connected. */
  readonly installation: readonly string[] | null;
  readonly version: number;
}

export interface Place {
  readonly place: string;
  readonly label: string;
}

export interface Slot {
  readonly key: string;
  readonly label: string;
  readonly column: {
    readonly columnId: string;
    readonly slug: string;
    readonly label: string;
    readonly colour: string;
  } | null;
}

export interface WorkflowColumn {
  readonly columnId: string;
  readonly slug: string;
  readonly label: string;
  readonly colour: string;
  readonly slot: string | null;
  readonly backlog: boolean;
  readonly terminal: boolean;
}

export interface Fact {
  readonly source: string | null;
  readonly fact: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly negated: boolean;
  readonly known: boolean;
}

export type Action = { readonly action: string } & Readonly<Record<string, unknown>>;

export interface Rule {
  readonly id: string;
  readonly origin: 'template' | 'app';
  readonly places: readonly Place[] | null;
  readonly facts: readonly Fact[];
  readonly actions: readonly Action[];
  readonly whilePaused: boolean;
}

export interface Kind {
  readonly kind: string;
  readonly label: string;
  readonly origin: 'template' | 'app';
  readonly role: string;
  readonly checks: readonly string[];
  readonly rules: readonly string[];
  readonly bridges: readonly string[];
}

export interface Workflow {
  readonly template: TemplateChoice;
  readonly enabled: boolean;
  readonly engine: Engine;
  readonly slots: readonly Slot[];
  readonly columns: readonly WorkflowColumn[];
  readonly manualMoves:
    | 'any'
    | readonly { readonly from: Place; readonly to: Place; readonly by: 'parent-run' | null }[];
  readonly types: readonly {
    readonly key: string;
    readonly label: string;
    readonly colour: string;
    readonly children: boolean;
    readonly lane: boolean;
  }[];
  readonly defaultType: string;
  readonly kinds: readonly Kind[];
  readonly rules: readonly Rule[];
  readonly budgets: {
    readonly refusalBackoffMinutes: readonly number[];
    readonly workTimeoutMinutes: number;
    readonly workFailure: {
      readonly retryOn: readonly string[];
      readonly retries: number;
      readonly backoffMinutes: readonly number[];
      readonly repairKind: string | null;
    } | null;
  };
}

export const templatesQuery = queryOptions({
  queryKey: ['workflow-templates'],
  queryFn: async ({ signal }) =>
    (await api.get<{ templates: TemplateChoice[] }>('/workflow-templates', { signal })).templates,
  staleTime: Number.POSITIVE_INFINITY,
});

export const automationQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['automation', projectId],
    queryFn: ({ signal }) => api.get<Automation>(`/projects/${projectId}/automation`, { signal }),
  });

export const workflowQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['workflow', projectId],
    queryFn: ({ signal }) => api.get<Workflow>(`/projects/${projectId}/workflow`, { signal }),
  });

/** Fetches again what the pages of the workflow show, when somebody changed it or its columns. */
export function useWorkflowNews(projectId: string): void {
  const queries = useQueryClient();
  useLive([`project:${projectId}:board`], (message) => {
    if (!['resync', 'workflow', 'columns'].includes(message.type)) return;
    void queries.invalidateQueries({ queryKey: ['automation', projectId] });
    void queries.invalidateQueries({ queryKey: ['workflow', projectId] });
  });
}
