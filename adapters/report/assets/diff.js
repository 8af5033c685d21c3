// What two texts have in common, word by word (Myers, An O(ND) difference algorithm, 1986).
const MOST_EDITS = 1200;
const MOST_WORDS = 40000;

/** Pieces [kind, text]: kind 0 in both, -1 only in the first, 1 only in the second. */
function difference(first, second) {
  const cut = (text) => text.match(/[\p{L}\p{M}\p{N}]+|\s+|./gsu) ?? [];
  const a = cut(first);
  const b = cut(second);
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const middle = edits(a.slice(start, a.length - end), b.slice(start, b.length - end));
  const pieces = [];
  const add = (kind, text) => {
    if (text === '') return;
    if (pieces.length && pieces[pieces.length - 1][0] === kind) pieces[pieces.length - 1][1] += text;
    else pieces.push([kind, text]);
  };
  add(0, a.slice(0, start).join(''));
  for (const [kind, text] of middle) add(kind, text);
  add(0, a.slice(a.length - end).join(''));
  return pieces;
}

function edits(a, b) {
  const whole = [[-1, a.join('')], [1, b.join('')]];
  if (!a.length || !b.length || a.length + b.length > MOST_WORDS) return whole;
  const most = Math.min(a.length + b.length, MOST_EDITS);
  const reach = new Int32Array(2 * most + 3);
  const trace = [];
  for (let count = 0; count <= most; count++) {
    trace.push(reach.slice(most - count, most + count + 3));
    for (let k = -count; k <= count; k += 2) {
      const at = k + most + 1;
      const down = k === -count || (k !== count && reach[at - 1] < reach[at + 1]);
      let x = down ? reach[at + 1] : reach[at - 1] + 1;
      let y = x - k;
      while (x < a.length && y < b.length && a[x] === b[y]) { x++; y++; }
      reach[at] = x;
      if (x >= a.length && y >= b.length) return walkedBack(a, b, trace, count);
    }
  }
  return whole;
}

function walkedBack(a, b, trace, count) {
  const found = [];
  let x = a.length;
  let y = b.length;
  for (let step = count; step > 0; step--) {
    const before = trace[step]; // of diagonal k it holds what was reached at k + step + 1
    const at = (k) => before[k + step + 1];
    const k = x - y;
    const down = k === -step || (k !== step && at(k - 1) < at(k + 1));
    const from = down ? k + 1 : k - 1;
    const start = at(from);
    const after = down ? start : start + 1;
    while (x > after) { found.push([0, a[--x]]); y--; }
    if (down) found.push([1, b[--y]]);
    else found.push([-1, a[--x]]);
  }
  while (x > 0) { found.push([0, a[--x]]); y--; }
  return found.reverse();
}

/** The difference as an element. */
function differenceBox(first, second) {
  const box = make('pre', { class: 'completion', dir: 'auto' });
  for (const [kind, text] of difference(first, second)) {
    const piece = kind === 0 ? box : make(kind < 0 ? 'del' : 'ins');
    const long = kind === 0 && text.length > 2 * WINDOW;
    appendText(piece, long ? `${text.slice(0, WINDOW)} … ${text.slice(-WINDOW)}` : text.slice(0, 10 * WINDOW));
    if (kind !== 0) box.append(piece);
  }
  return box;
}
