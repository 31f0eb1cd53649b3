import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useId, useState } from 'react';
import { LoadProblem } from '../../components/page';
import { Skeleton } from '../../components/progress';
import type { DocumentsApi } from '../api';
import { layOutText } from '../surface/lay-out-text';
import { RenderedHtml } from '../surface/rendered-html';
import { dressStatic } from '../surface/static-dress';

const LIMIT = 1_048_575;
const encoder = new TextEncoder();

export interface MarkdownFieldProps {
  readonly api: DocumentsApi;
  readonly value: string;
  readonly error?: string;
  readonly onChange: (value: string) => void;
}

/** The text, and how it will look: rendered by the same pipeline as the saved document. */
export function MarkdownField({ api, value, error, onChange }: MarkdownFieldProps) {
  const [view, setView] = useState<'write' | 'preview'>('write');
  const id = useId();
  const text = useDeferredValue(value);
  const bytes = encoder.encode(text).length;
  const tooLong = bytes > LIMIT ? `The Markdown is ${bytes} bytes. The limit is ${LIMIT}.` : undefined;
  const problem = error ?? tooLong;
  return (
    <div className="field">
      <div className="row">
        <label className="label" htmlFor={id}>
          Markdown
        </label>
        {/* biome-ignore lint/a11y/useSemanticElements: a group of toggle buttons, not a set of fields */}
        <span className="segmented push" role="group" aria-label="View">
          <button type="button" aria-pressed={view === 'write'} onClick={() => setView('write')}>
            Write
          </button>
          <button type="button" aria-pressed={view === 'preview'} onClick={() => setView('preview')}>
            Preview
          </button>
        </span>
      </div>
      <textarea
        id={id}
        className="textarea write__markdown"
        dir="auto"
        spellCheck
        hidden={view === 'preview'}
        aria-invalid={problem ? true : undefined}
        aria-describedby={`${id}-about`}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      {view === 'preview' && <Preview api={api} markdown={value} />}
      <span className={problem ? 'error' : 'hint'} id={`${id}-about`}>
        {problem ??
          `${Math.ceil(bytes / 1024)} of 1024 KB. Tables, callouts, task lists, code and decision blocks work.`}
      </span>
    </div>
  );
}

function Preview({ api, markdown }: { readonly api: DocumentsApi; readonly markdown: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['document-preview', markdown],
    queryFn: ({ signal }) => api.preview(markdown, signal),
    enabled: markdown.trim() !== '',
    gcTime: 0,
    retry: false,
  });
  if (markdown.trim() === '') return <div className="write__preview hint">Nothing to show yet.</div>;
  if (error) return <LoadProblem error={error} onRetry={() => void refetch()} />;
  if (!data) {
    return (
      <div className="write__preview">
        <Skeleton />
      </div>
    );
  }
  return (
    <section className="write__preview" aria-label="Preview">
      {data.warnings.length > 0 && (
        <ul className="write__warnings">
          {data.warnings.map((warning) => (
            <li key={`${warning.code}-${warning.message}`}>{warning.message}</li>
          ))}
        </ul>
      )}
      {/* Controls of the text do nothing here: they belong to a saved version. */}
      <div inert>
        <RenderedHtml className="prose doc-text" html={data.html} onReady={dressWhenShown} />
      </div>
    </section>
  );
}

function dressWhenShown(root: HTMLElement | null): void {
  if (!root) return;
  layOutText(root, root.textContent ?? '', '');
  dressStatic(root);
}
