import { type Html, html } from './html.js';

const SHAPES = {
  alert: html`<path d="M8 2.25 14.25 13H1.75zM8 6.25V9.5" /><circle cx="8" cy="11.25" r="0.8" fill="currentColor" stroke="none" />`,
  check: html`<path d="m3 8.5 3.25 3.25L13 4.75" />`,
  cross: html`<path d="m4 4 8 8M12 4l-8 8" />`,
  failed: html`<circle cx="8" cy="8" r="5.75" /><path d="m5.9 5.9 4.2 4.2M10.1 5.9l-4.2 4.2" />`,
  info: html`<circle cx="8" cy="8" r="5.75" /><path d="M8 7.5v3.25" /><circle cx="8" cy="5.25" r="0.8" fill="currentColor" stroke="none" />`,
  ok: html`<circle cx="8" cy="8" r="5.75" /><path d="m5.5 8.25 1.75 1.75 3.25-3.75" />`,
  unknown: html`<circle cx="8" cy="8" r="5.75" /><path d="M6.4 6.5a1.65 1.65 0 1 1 2.3 1.5c-.45.2-.7.5-.7.95" /><circle cx="8" cy="10.9" r="0.8" fill="currentColor" stroke="none" />`,
} as const;

export type IconName = keyof typeof SHAPES;

/** A small drawing beside a word; screen readers skip it. */
export function icon(name: IconName, options: { size?: 'sm' | 'lg'; tone?: string } = {}): Html {
  return html`<svg class="i" viewBox="0 0 16 16" aria-hidden="true"${options.size && html` data-size="${options.size}"`}${
    options.tone && html` data-tone="${options.tone}"`
  }>${SHAPES[name]}</svg>`;
}
