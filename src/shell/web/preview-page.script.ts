/**
 * The script of the preview page. It makes the frame, swaps it when a new version arrives or a generation ends, and
 * writes everything that comes from the artifact as text.
 */
export const PREVIEW_SCRIPT = `
(() => {
  'use strict';
  const at = (id) => document.getElementById(id);
  const { page: first, live } = JSON.parse(at('state').textContent);
  const stage = document.querySelector('.pv-stage');
  const said = at('said');
  let page = first;
  let frame = null;
  let shown = null;
  let asking = false;
  let again = false;
  let forced = false;
  let poll = 0;

  function keyOf(one) {
    return one.frame === null ? null : String(one.version === null ? 'latest ' + one.latestVersion : one.version);
  }

  function load() {
    at('busy').hidden = false;
    const next = document.createElement('iframe');
    next.title = 'Preview of ' + page.name;
    next.setAttribute('sandbox', page.frame.sandbox);
    next.setAttribute('referrerpolicy', 'no-referrer');
    next.allow = '';
    next.addEventListener('load', () => { at('busy').hidden = true; });
    next.src = page.frame.frameUrl;
    if (frame !== null) frame.replaceWith(next);
    else at('after-preview').before(next);
    frame = next;
    shown = keyOf(page);
  }

  function note(title, text, progress) {
    at('note').hidden = false;
    at('note-title').textContent = title;
    at('note-text').textContent = text;
    at('progress').hidden = progress === null;
    if (progress !== null) at('progress').value = progress;
    at('busy').hidden = true;
    if (frame !== null) { frame.remove(); frame = null; shown = null; }
  }

  function draw() {
    document.title = page.name + ' · Preview';
    const name = document.querySelector('.pv-name');
    if (name !== null) { name.textContent = page.name; name.title = page.name; }
    clearTimeout(poll);
    if (page.status === 'generating') {
      note('Generating', page.progress + ' % done. The preview appears here by itself.', page.progress);
      // Without a session nothing is heard, and with one a message may be lost.
      poll = setTimeout(ask, live ? 10000 : 3000);
      return;
    }
    if (page.frame === null || (page.status === 'failed' && page.version === null)) {
      note('The generation failed', page.error || 'There is nothing to show.', null);
      return;
    }
    at('note').hidden = true;
    drawVersions();
    if (forced || shown !== keyOf(page)) {
      const isSwap = !forced && frame !== null;
      forced = false;
      load();
      if (isSwap) said.textContent = 'The preview shows a new version.';
    }
  }

  function drawVersions() {
    const select = at('version');
    if (select === null) return;
    for (let n = select.options.length; n <= page.latestVersion; n += 1) {
      const option = new Option('v' + n, String(n));
      select.options.add(option, 1);
    }
    select.options[0].textContent = 'Latest (v' + page.latestVersion + ')';
  }

  async function ask() {
    if (asking) { again = true; return; }
    asking = true;
    try {
      const answer = await fetch('/artifacts/' + page.artifactId + '/preview/state' + (page.version === null ? '' : '?version=' + page.version));
      if (answer.status === 404) { location.reload(); return; }
      if (answer.ok) { page = await answer.json(); draw(); }
    } catch { poll = setTimeout(ask, 5000); }
    finally {
      asking = false;
      if (again) { again = false; ask(); }
    }
  }

  function follow() {
    if (!live || page.projectId === null || typeof EventSource === 'undefined') return;
    const stream = new EventSource('/api/live?topics=' + encodeURIComponent('project:' + page.projectId + ':artifacts'));
    const changed = (event) => {
      let update = null;
      try { update = JSON.parse(event.data); } catch { /* a message that is no update */ }
      if (update === null || update.subjectId === undefined || update.subjectId === page.artifactId) ask();
    };
    stream.addEventListener('message', changed);
    stream.addEventListener('update', changed);
    stream.addEventListener('resync', () => ask());
  }

  // With a fresh ticket: the old one may have reached its end.
  at('reload')?.addEventListener('click', () => { forced = true; ask(); });
  at('version')?.addEventListener('change', (event) => {
    const url = new URL(location.href);
    if (event.target.value === '') url.searchParams.delete('version');
    else url.searchParams.set('version', event.target.value);
    history.replaceState(null, '', url);
    page = Object.assign({}, page, { version: event.target.value === '' ? null : Number(event.target.value) });
    ask();
  });
  for (const button of document.querySelectorAll('button[data-width]')) {
    button.addEventListener('click', () => {
      stage.dataset.width = button.dataset.width;
      for (const other of document.querySelectorAll('button[data-width]')) {
        other.setAttribute('aria-pressed', String(other === button));
      }
    });
  }
  draw();
  follow();
})();
`;
