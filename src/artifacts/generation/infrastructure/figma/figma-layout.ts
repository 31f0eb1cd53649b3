import type { Box, FigmaNode } from './figma-node.js';
import { compact, type Declarations, px } from './figma-styles.js';

const JUSTIFY: Readonly<Record<string, string>> = {
  CENTER: 'center',
  MAX: 'flex-end',
  SPACE_BETWEEN: 'space-between',
};
const ALIGN: Readonly<Record<string, string>> = {
  CENTER: 'center',
  MAX: 'flex-end',
  BASELINE: 'baseline',
  MIN: 'flex-start',
};

export function isAutoLayout(node: FigmaNode): boolean {
  return node.layoutMode === 'HORIZONTAL' || node.layoutMode === 'VERTICAL';
}

/** How a node arranges its children. */
export function containerOf(node: FigmaNode): Declarations {
  if (!isAutoLayout(node)) return {};
  const wraps = node.layoutWrap === 'WRAP';
  const gap = px(node.itemSpacing ?? 0);
  const padding = [node.paddingTop, node.paddingRight, node.paddingBottom, node.paddingLeft].map((side) =>
    px(side ?? 0),
  );
  return compact({
    display: 'flex',
    'flex-direction': node.layoutMode === 'VERTICAL' ? 'column' : 'row',
    'flex-wrap': wraps ? 'wrap' : null,
    'justify-content': JUSTIFY[node.primaryAxisAlignItems ?? ''] ?? null,
    'align-items': ALIGN[node.counterAxisAlignItems ?? 'MIN'] ?? 'flex-start',
    // With space between, Figma's own spacing is of no account.
    gap:
      node.primaryAxisAlignItems === 'SPACE_BETWEEN' || gap === '0'
        ? null
        : wraps
          ? `${px(node.counterAxisSpacing ?? 0)} ${gap}`
          : gap,
    padding: padding.every((side) => side === '0') ? null : padding.join(' '),
  });
}

/** Where a node stands in its parent, and how large it is. */
export function placeOf(node: FigmaNode, parent: FigmaNode | null): Declarations {
  const box = node.absoluteBoundingBox ?? null;
  if (!parent)
    return {
      position: 'relative',
      margin: '0 auto',
      ...sizeOf(box),
      ...(isAutoLayout(node) ? heightCanGrow(box) : {}),
    };
  if (!isAutoLayout(parent) || node.layoutPositioning === 'ABSOLUTE') {
    const outer = parent.absoluteBoundingBox ?? null;
    const isHugging = node.type === 'TEXT' && (node.layoutSizingHorizontal === 'HUG' || !box);
    return compact({
      position: 'absolute',
      left: px((box?.x ?? 0) - (outer?.x ?? 0)),
      top: px((box?.y ?? 0) - (outer?.y ?? 0)),
      ...(isHugging ? { 'white-space': 'pre' } : sizeOf(box)),
    });
  }
  const isRow = parent.layoutMode === 'HORIZONTAL';
  const [along, across] = isRow
    ? [node.layoutSizingHorizontal, node.layoutSizingVertical]
    : [node.layoutSizingVertical, node.layoutSizingHorizontal];
  const fillsAlong = along === 'FILL' || (along === undefined && node.layoutGrow === 1);
  const fillsAcross = across === 'FILL' || (across === undefined && node.layoutAlign === 'STRETCH');
  const isFixed = (sizing: string | undefined) =>
    sizing === 'FIXED' || (sizing === undefined && node.type !== 'TEXT' && !isAutoLayout(node));
  const width = isRow ? !fillsAlong && isFixed(along) : !fillsAcross && isFixed(across);
  const height = isRow ? !fillsAcross && isFixed(across) : !fillsAlong && isFixed(along);
  return compact({
    position: 'relative',
    flex: fillsAlong ? '1 1 0' : 'none',
    'min-width': fillsAlong && isRow ? '0' : null,
    'align-self': fillsAcross ? 'stretch' : null,
    width: width && box ? px(box.width) : null,
    height: height && box ? px(box.height) : null,
  });
}

function sizeOf(box: Box | null): Declarations {
  return box ? { width: px(box.width), height: px(box.height) } : {};
}

function heightCanGrow(box: Box | null): Declarations {
  return box ? { height: 'auto', 'min-height': px(box.height) } : {};
}
