import type { Mail } from '#libs/kernel/ports/mailer.js';

export interface MailParts {
  readonly text: string;
  readonly html: string;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ESCAPES[sign]!);
}

/**
 * The two parts of a mail, of the same words. The HTML loads nothing from anywhere, and holds in programs that know
 * neither style sheets nor dark themes; `host` names the instance that sent it.
 */
export function mailParts(mail: Mail, host: string): MailParts {
  return { text: textPart(mail, host), html: htmlPart(mail, host) };
}

function textPart({ paragraphs, action, footnote }: Mail, host: string): string {
  const blocks = [
    ...paragraphs,
    ...(action ? [`${action.label}:\n${action.url}`] : []),
    ...(footnote ? [footnote] : []),
    `-- \nLoupe at ${host}`,
  ];
  return `${blocks.join('\n\n')}\n`;
}

const BODY =
  'margin:0;padding:24px 16px;font-family:system-ui,-apple-system,Segoe UI,Roboto,sans-serif;font-size:16px;line-height:1.5';
const BUTTON =
  'display:inline-block;padding:10px 18px;border-radius:6px;background:#0f5e6b;color:#ffffff;text-decoration:none;font-weight:500';
// Paler by opacity, not by a colour: a fixed grey that reads well on white does not on black.
const SMALL = 'font-size:13px;opacity:0.75';
const BRAND = 'margin:0 0 20px;font-size:13px;font-weight:600;letter-spacing:0.01em;opacity:0.75';
const HEADING = 'margin:0 0 16px;font-size:21px;line-height:1.3;font-weight:600';
const ADDRESS = 'word-break:break-all';

function htmlPart({ subject, paragraphs, action, footnote }: Mail, host: string): string {
  const text = paragraphs.map((paragraph) => `<p dir="auto">${escaped(paragraph)}</p>`).join('\n');
  const link =
    action &&
    `<p><a href="${escaped(action.url)}" style="${BUTTON}">${escaped(action.label)}</a></p>
<p style="${SMALL}">If the button does nothing, open this address:<br><a href="${escaped(action.url)}" style="${ADDRESS}">${escaped(action.url)}</a></p>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(subject)}</title>
</head>
<body style="${BODY}">
<div style="max-width:560px;margin:0 auto">
<p style="${BRAND}">Loupe</p>
<h1 dir="auto" style="${HEADING}">${escaped(subject)}</h1>
${text}
${link ?? ''}
${footnote ? `<p style="${SMALL}">${escaped(footnote)}</p>` : ''}
<p style="${SMALL}">Loupe at ${escaped(host)}</p>
</div>
</body>
</html>
`;
}
