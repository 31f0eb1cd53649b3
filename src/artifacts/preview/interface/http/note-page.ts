const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A small page of our own inside the frame, where there is no file to show. */
export function notePage(title: string, sentence: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>
:root{color-scheme:light dark}
body{margin:0;min-height:100vh;display:grid;place-items:center;font:14px/1.5 system-ui,sans-serif;color:light-dark(#2a3236,#dfe3e4);background:light-dark(#fbfbf9,#14191c)}
main{max-width:60ch;padding:24px}
h1{font-size:16px;margin:0 0 8px}
p{margin:0;white-space:pre-wrap;overflow-wrap:anywhere}
</style>
<main><h1>${escaped(title)}</h1><p>${escaped(sentence)}</p></main>
</html>
`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ESCAPES[sign]!);
}
