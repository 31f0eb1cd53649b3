// What the guides gain from a script; without it they read, link and search just as well.

// A button beside each block of code.
const status = document.createElement('span');
status.className = 'visually-hidden';
status.setAttribute('role', 'status');
document.body.append(status);
for (const block of document.querySelectorAll('.codeblock')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'btn';
  button.dataset.size = 'sm';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    const pre = block.querySelector('pre');
    let done = true;
    try {
      const code = pre.textContent.replace(/\n$/, '');
      // What a terminal shows begins with its prompt, which nobody types.
      const typed = pre.querySelector('.language-console') ? code.replace(/^[$#] /gm, '') : code;
      await navigator.clipboard.writeText(typed);
    } catch {
      // The clipboard is closed to pages without https; what is selected can be copied everywhere.
      getSelection().selectAllChildren(pre);
      done = document.execCommand('copy');
    }
    button.textContent = done ? 'Copied' : 'Press Ctrl+C';
    status.textContent = done ? 'Copied.' : 'The code is selected. Copy it by hand.';
    setTimeout(() => {
      button.textContent = 'Copy';
      status.textContent = '';
    }, 2000);
  });
  block.append(button);
}

// The list of guides follows what is typed.
const field = document.getElementById('search-side');
const none = document.getElementById('no-guide');
const fold = (text) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
field?.addEventListener('input', () => {
  const words = fold(field.value).split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const group of document.querySelectorAll('.guides__group')) {
    let inGroup = 0;
    for (const item of group.querySelectorAll('li')) {
      item.hidden = !words.every((word) => fold(item.textContent).includes(word));
      if (!item.hidden) inGroup += 1;
    }
    group.hidden = inGroup === 0;
    shown += inGroup;
  }
  none.hidden = shown > 0;
});

// The list of sections says which one is being read.
const links = new Map(
  [...document.querySelectorAll('.guides__sections a')].map((link) => [link.hash.slice(1), link]),
);
if (links.size > 0) {
  const headings = [...links.keys()].map((id) => document.getElementById(decodeURIComponent(id)));
  let waiting = false;
  const mark = () => {
    waiting = false;
    const line = innerHeight / 4;
    const reached = headings.filter((heading) => heading && heading.getBoundingClientRect().top <= line);
    const current = (reached.at(-1) ?? headings[0])?.id;
    for (const [id, link] of links) {
      if (decodeURIComponent(id) === current) {
        if (link.hasAttribute('aria-current')) continue;
        link.setAttribute('aria-current', 'location');
        const list = link.closest('nav');
        const { top, bottom } = link.getBoundingClientRect();
        const box = list.getBoundingClientRect();
        if (top < box.top || bottom > box.bottom) list.scrollTop += top - box.top - box.height / 2;
      } else link.removeAttribute('aria-current');
    }
  };
  addEventListener(
    'scroll',
    () => {
      if (!waiting) requestAnimationFrame(mark);
      waiting = true;
    },
    { passive: true },
  );
  mark();
}
