import { type Html, html } from '@chain/platform/pages';

/** A frame of a tree whose widths are gas. */
export interface FlameFrame {
  readonly label: string;
  readonly gas: number;
  /** Its place in the table beside the picture. */
  readonly index: number;
  readonly hue: 'call' | 'static' | 'delegate' | 'create' | 'failed';
  readonly children: readonly FlameFrame[];
}

const ROW = 24;
/** Narrower frames would be thinner than a line. */
const MIN_PERCENT = 0.15;

interface Placed {
  readonly frame: FlameFrame;
  readonly x: number;
  readonly width: number;
  readonly depth: number;
}

/**
 * The frames from top to bottom, children in order from the left of their parent; what is free on the right is gas
 * that the parent burned itself. The table of calls says the same in words, so readers of the page skip the picture.
 */
export function flameGraph(root: FlameFrame): Html {
  const placed = place(root);
  const depth = Math.max(...placed.map((one) => one.depth)) + 1;
  return html`<svg class="flame" width="100%" height="${depth * ROW}" aria-hidden="true">${placed.map(bar)}</svg>`;
}

function place(root: FlameFrame): Placed[] {
  const all: Placed[] = [];
  const waiting: Placed[] = [{ frame: root, x: 0, width: 100, depth: 0 }];
  for (let one = waiting.pop(); one; one = waiting.pop()) {
    if (one.width < MIN_PERCENT) continue;
    all.push(one);
    const { frame, depth } = one;
    let { x } = one;
    // Refunds may leave a parent less than its children took together.
    const total = Math.max(
      frame.gas,
      frame.children.reduce((sum, { gas }) => sum + gas, 0),
      1,
    );
    for (const child of frame.children) {
      const width = (one.width * child.gas) / total;
      waiting.push({ frame: child, x, width, depth: depth + 1 });
      x += width;
    }
  }
  return all;
}

function bar({ frame, x, width, depth }: Placed): Html {
  const { label, gas, index, hue } = frame;
  return html`<svg x="${x.toFixed(3)}%" y="${depth * ROW}" width="${width.toFixed(3)}%" height="${ROW - 2}"><a href="#call-${index}" tabindex="-1"><title>${label}: ${gas} gas</title><rect class="${hue}" width="100%" height="100%" rx="3"/><text x="6" y="15">${label}</text></a></svg>`;
}
