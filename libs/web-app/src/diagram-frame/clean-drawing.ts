/** Elements that a drawing never needs, or that may lead or load from elsewhere. */
const REMOVED = 'script, foreignObject, image, iframe, object, embed, audio, video, animate, set, feImage';

const ADDRESSES = new Set(['href', 'src', 'xlink:href']);

/** Takes out of a drawing what may run, lead or load, whatever the library let through. Links stay as their words. */
export function cleanDrawing(svg: Element): void {
  for (const element of svg.querySelectorAll(REMOVED)) element.remove();
  for (const link of svg.querySelectorAll('a')) {
    const group = svg.ownerDocument.createElementNS('http://www.w3.org/2000/svg', 'g');
    const transform = link.getAttribute('transform');
    if (transform) group.setAttribute('transform', transform);
    group.append(...link.childNodes);
    link.replaceWith(group);
  }
  for (const element of [svg, ...svg.querySelectorAll('*')]) {
    for (const { name, value } of [...element.attributes]) {
      const leads = ADDRESSES.has(name.toLowerCase()) && !value.trim().startsWith('#');
      if (leads || /^on/i.test(name)) element.removeAttribute(name);
    }
  }
}
