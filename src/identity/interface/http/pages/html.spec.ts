import { html } from './html.js';

describe('html', () => {
  it('escapes text in content and in attributes', () => {
    const hostile = `"><script>alert('&')</script>`;
    expect(html`<p title="${hostile}">${hostile}</p>`.markup).toBe(
      '<p title="&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;">' +
        '&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;</p>',
    );
  });

  it('keeps markup of inner templates and joins lists', () => {
    expect(html`<ul>${['a<', 'b'].map((name) => html`<li>${name}</li>`)}</ul>`.markup).toBe(
      '<ul><li>a&lt;</li><li>b</li></ul>',
    );
  });

  it('writes nothing for what is absent, and zero for zero', () => {
    expect(html`[${null}${undefined}${false}${0}]`.markup).toBe('[0]');
  });

  it('does not take a look-alike object for markup', () => {
    const lookalike = { markup: '<b>' } as unknown as string;
    expect(html`${lookalike}`.markup).toBe('[object Object]');
  });
});
