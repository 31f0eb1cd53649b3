import type { GlyphName } from '../components/icon';
import type { Tone } from '../components/tone';
import type { ArtifactRow, ArtifactStatus, ChartType } from './shapes';

/** How each status of an artifact reads and looks. */
export const ARTIFACT_STATUS: Record<ArtifactStatus, { word: string; tone: Tone; glyph: GlyphName }> = {
  generating: { word: 'Generating', tone: 'accent', glyph: 'working' },
  ready: { word: 'Ready', tone: 'good', glyph: 'done' },
  failed: { word: 'Failed', tone: 'bad', glyph: 'failed' },
};

export const ORIGINS: Readonly<Record<ArtifactRow['origin'], string>> = {
  push: 'Pushed',
  empty: 'Started empty',
  import: 'Imported',
  p2c: 'From a prompt',
  l2c: 'From a web page',
  f2c: 'From Figma',
  duplicate: 'Copy',
};

export const SOURCES: Readonly<Record<string, string>> = {
  push: 'push',
  import: 'import',
  seed: 'first commit',
  generate: 'generated',
  edit: 'edit',
  git: 'git',
  restore: 'restore',
  duplicate: 'copy',
};

export const CHART_TYPES: Readonly<Record<ChartType, string>> = {
  line_chart: 'Line chart',
  area_chart: 'Area chart',
  bar_chart: 'Bar chart',
  scatter_chart: 'Scatter chart',
  pie_chart: 'Pie chart',
  table: 'Table',
  stat: 'Figures',
};

/** "HTML app", "React app", "Markdown", "Image or video". */
export function typeWord({
  artifactType,
  framework,
}: Pick<ArtifactRow, 'artifactType' | 'framework'>): string {
  if (artifactType === 'markdown') return 'Markdown';
  if (artifactType === 'asset') return 'Image or video';
  return framework === 'react' ? 'React app' : 'HTML app';
}
