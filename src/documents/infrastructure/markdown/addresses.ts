import type { Element, ElementContent, Root } from 'hast';

const LINK_SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);
const DRAWN_IMAGE = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/\s]*={0,2}\s*$/i;
const LOOKS_LIKE_ADDRESS =
  /^(?:https?:\/\/|\/\/)?((?:[\p{L}\p{N}_-]+\.)+[\p{L}][\p{L}\p{N}-]*)(?::\d+)?(?:[/?#].*)?$/iu;
const INVISIBLE = /[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF\s]+/g;

/**
 * Judges every link and image of a sanitised tree, in place: links go to the web, to mail or to a
 * place in the text; images are drawn from the text itself or shown as a box that names their host.
 *
 * @returns the number of images that are not loaded
 */
export function mintAddresses(root: Root): number {
  const walk = new AddressWalk();
  root.children = walk.children(root.children as ElementContent[], false);
  return walk.remoteImages;
}

class AddressWalk {
  remoteImages = 0;

  children(nodes: readonly ElementContent[], insideLink: boolean): ElementContent[] {
    const result: ElementContent[] = [];
    for (const node of nodes) {
      if (node.type !== 'element') {
        result.push(node);
        continue;
      }
      if (node.tagName === 'img') result.push(this.image(node, insideLink));
      else if (node.tagName === 'a') result.push(...this.link(node, insideLink));
      else {
        node.children = this.children(node.children, insideLink);
        result.push(node);
      }
    }
    return result;
  }

  private link(node: Element, insideLink: boolean): ElementContent[] {
    const target = insideLink ? null : linkTarget(node.properties.href);
    node.children = this.children(node.children, insideLink || target !== null);
    if (target === null) return node.children;
    node.properties.href = target.href;
    if (target.kind === 'inside') return [node];
    node.properties.target = '_blank';
    node.properties.rel = ['noopener', 'noreferrer', 'nofollow', 'ugc'];
    const shown = shownHost(node);
    if (shown === null || shown === target.host) return [node];
    return [node, unanchored('span', 'link-host', ` (${target.host === '' ? target.href : target.host})`)];
  }

  private image(node: Element, insideLink: boolean): Element {
    const source = String(node.properties.src ?? '').trim();
    const alt = String(node.properties.alt ?? '');
    if (DRAWN_IMAGE.test(source)) return node;
    this.remoteImages += 1;
    const target = linkTarget(source);
    const isWeb = target !== null && target.kind === 'outside' && !target.href.startsWith('mailto:');
    const origin: Element = {
      type: 'element',
      tagName: 'span',
      properties: { className: ['image-placeholder__source'], dataNoAnchor: '' },
      children: [
        { type: 'text', value: isWeb ? `Image from ${target.host}, not loaded` : 'Image not loaded' },
      ],
    };
    if (isWeb && !insideLink) {
      origin.children.push(
        { type: 'text', value: ' ' },
        {
          type: 'element',
          tagName: 'a',
          properties: {
            href: target.href,
            target: '_blank',
            rel: ['noopener', 'noreferrer', 'nofollow', 'ugc'],
          },
          children: [{ type: 'text', value: 'Open image' }],
        },
      );
    }
    const children: ElementContent[] = [];
    if (alt.trim() !== '') {
      children.push({
        type: 'element',
        tagName: 'span',
        properties: { className: ['image-placeholder__alt'] },
        children: [{ type: 'text', value: alt }],
      });
    }
    return {
      type: 'element',
      tagName: 'span',
      properties: { className: ['image-placeholder'] },
      children: [...children, origin],
    };
  }
}

type LinkTarget =
  | { readonly kind: 'inside'; readonly href: string }
  | { readonly kind: 'outside'; readonly href: string; readonly host: string };

/** The address as a browser would take it, or null when it may not be followed. */
function linkTarget(href: unknown): LinkTarget | null {
  if (typeof href !== 'string') return null;
  const written = href.trim();
  if (written.startsWith('#')) return { kind: 'inside', href: written };
  let url: URL;
  try {
    url = new URL(written);
  } catch {
    return null;
  }
  if (!LINK_SCHEMES.has(url.protocol)) return null;
  return { kind: 'outside', href: url.href, host: url.protocol === 'mailto:' ? '' : bareHost(url) };
}

/** The host that the visible text of a link seems to name; null when it names none. */
function shownHost(link: Element): string | null {
  const text = textOf(link).replace(INVISIBLE, '');
  const match = LOOKS_LIKE_ADDRESS.exec(text);
  if (match === null) return null;
  try {
    return bareHost(new URL(`https://${match[1]}`));
  } catch {
    return match[1]!.toLowerCase();
  }
}

function bareHost(url: URL): string {
  return url.hostname.replace(/^www\./, '');
}

function textOf(node: ElementContent): string {
  if (node.type === 'text') return node.value;
  return node.type === 'element' ? node.children.map(textOf).join('') : '';
}

function unanchored(tagName: string, className: string, text: string): Element {
  return {
    type: 'element',
    tagName,
    properties: { className: [className], dataNoAnchor: '' },
    children: [{ type: 'text', value: text }],
  };
}
