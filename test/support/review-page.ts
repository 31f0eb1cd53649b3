import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { applicationRoot } from '#libs/configuration/application-root.js';
import { until } from './until.js';

/** A reader in front of the review page: selects as a mouse does, and finds things by role and name. */
export class ReviewPage {
  readonly text: Locator;
  readonly side: Locator;
  readonly toolbar: Locator;

  constructor(readonly page: Page) {
    this.text = page.getByRole('article', { name: 'Document text' });
    this.side = page.getByRole('region', { name: 'Review panel' });
    this.toolbar = page.getByRole('toolbar', { name: 'Selected passage' });
  }

  /** Opens the review and waits until the text takes selections. */
  async open(url: string): Promise<void> {
    // An address that differs in its fragment alone would not load anything anew.
    await this.page.goto('about:blank');
    await this.page.goto(url);
    await this.page.locator('.doc-text [data-start][tabindex="0"]').first().waitFor({ state: 'attached' });
  }

  thread(words: string | RegExp): Locator {
    return this.page.locator('section.thread[data-card]').filter({ hasText: words });
  }

  /** Drags the mouse from the first letter of `from` to the last letter of `to`, both as they read on the page. */
  async select(from: string, to: string = from): Promise<void> {
    const ends = await this.ends(from, to);
    await this.page.mouse.move(ends.from.x, ends.from.y);
    await this.page.mouse.down();
    await this.page.mouse.move((ends.from.x + ends.to.x) / 2, (ends.from.y + ends.to.y) / 2);
    await this.page.mouse.move(ends.to.x, ends.to.y, { steps: 3 });
    await this.page.mouse.up();
  }

  /** Selects words without a mouse, where a mouse would drag a link, or the last place of words that stand twice. */
  async setSelection(words: string, place: 'first' | 'last' = 'first'): Promise<void> {
    await this.page.evaluate(`(() => {
      const words = ${JSON.stringify(words)};
      const walker = document.createTreeWalker(document.querySelector('.doc-text'), NodeFilter.SHOW_TEXT);
      const found = [];
      for (let node = walker.nextNode(); node; node = walker.nextNode()) if (node.data.includes(words)) found.push(node);
      const node = found.at(${place === 'first' ? 0 : -1});
      const start = node.data.${place === 'first' ? 'indexOf' : 'lastIndexOf'}(words);
      node.parentElement.scrollIntoView({ block: 'center', behavior: 'instant' });
      getSelection().setBaseAndExtent(node, start, node, start + words.length);
    })()`);
  }

  /** Selects words and sends a comment on them. */
  async commentOn(words: string, body: string, to: string = words): Promise<void> {
    await this.select(words, to);
    await this.toolbar.getByRole('button', { name: 'Comment' }).click();
    await this.send(body);
  }

  /** Writes into the open form of a new comment and sends it. */
  async send(body: string): Promise<void> {
    const form = this.page.getByRole('form', { name: 'New comment' });
    await form.getByRole('textbox').fill(body);
    await form.getByRole('button', { name: 'Comment' }).click();
    await this.thread(body).first().waitFor();
  }

  /** The words that the marks of a thread cover, joined as they stand on the page. */
  async marked(thread: Locator): Promise<string> {
    const id = await thread.getAttribute('data-card');
    return (await this.page.locator(`mark[data-threads~="${id}"]`).allTextContents()).join('|');
  }

  /** Opens the dialog of the verdict, chooses, and writes a note. */
  async finish(verdict: 'Approve' | 'Request changes', note?: string): Promise<Locator> {
    await this.page.getByRole('button', { name: 'Finish review' }).click();
    const dialog = this.page.getByRole('dialog');
    await dialog.getByRole('radio', { name: verdict }).check();
    if (note !== undefined) await dialog.getByLabel(/Note/).fill(note);
    return dialog;
  }

  /** Serious findings of axe on the page as it is now, each as "impact rule: target". */
  async seriousFindings(): Promise<string[]> {
    // As text: the policy of the page takes no foreign script element, the debugger may run one.
    await this.page.evaluate(axe);
    return (await this.page.evaluate(`axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    }).then(({ violations }) => violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, impact, nodes }) => nodes.map((node) => impact + ' ' + id + ': ' + node.target)))`)) as string[];
  }

  /** Pixels by which the page is wider than the window. */
  async overflow(): Promise<number> {
    return (await this.page.evaluate('document.documentElement.scrollWidth - innerWidth')) as number;
  }

  private async ends(from: string, to: string) {
    // A text, since the types of a page are not those of this program.
    const find = `(() => {
      const root = document.querySelector('.doc-text');
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const nodes = [];
      let all = '';
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        nodes.push({ node, start: all.length });
        all += node.data;
      }
      const place = (offset) => {
        const { node, start } = nodes.findLast((one) => one.start <= offset);
        const range = document.createRange();
        range.setStart(node, offset - start);
        range.setEnd(node, offset - start + 1);
        return range;
      };
      const first = all.indexOf(${JSON.stringify(from)});
      const last = all.indexOf(${JSON.stringify(to)}, Math.max(first, 0));
      if (first < 0 || last < 0) return null;
      const begin = place(first);
      const end = place(last + ${JSON.stringify(to)}.length - 1);
      begin.startContainer.parentElement.scrollIntoView({ block: 'center', behavior: 'instant' });
      const a = begin.getClientRects()[0];
      const b = [...end.getClientRects()].at(-1);
      return { from: { x: a.left + 0.5, y: a.top + a.height / 2 }, to: { x: b.right - 0.5, y: b.top + b.height / 2 } };
    })()`;
    let found: { from: Point; to: Point } | null = null;
    await until(
      async () => {
        found = (await this.page.evaluate(find)) as typeof found;
        return found !== null;
      },
      5_000,
      `The text does not hold “${from}” to “${to}”.`,
    );
    return found as unknown as { from: Point; to: Point };
  }
}

interface Point {
  readonly x: number;
  readonly y: number;
}

const axe = readFileSync(`${applicationRoot}/node_modules/axe-core/axe.min.js`, 'utf8');
