// Text as it is: characters that nobody sees get a mark, and evidence is highlighted where it stands.
const UNSEEN = /(?![\n\t\u200c\u200d\ufe00-\ufe0f]|\r\n)([\p{Cc}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}\u2028\u2029])\1*/gu;

/** The same where nothing but a text can stand: in labels of charts and in options. */
function visible(text) {
  const made = document.createElement('option');
  appendText(made, text);
  return made.textContent;
}

/** Append a text, with the code of each character that is not seen. */
function appendText(parent, text) {
  let last = 0;
  // What holds nothing but text shows the codes as such.
  const bare = parent instanceof HTMLOptionElement || (parent instanceof HTMLElement && parent.matches('.unseen'));
  for (const found of text.matchAll(UNSEEN)) {
    parent.append(text.slice(last, found.index));
    const code = found[0].codePointAt(0).toString(16).toUpperCase().padStart(4, '0');
    const count = [...found[0]].length;
    const mark = count > 1 ? `U+${code} ×${count}` : `U+${code}`;
    parent.append(bare ? `[${mark}]` : make('span', { class: 'unseen', title: say('unseen') }, mark));
    last = found.index + found[0].length;
  }
  parent.append(text.slice(last));
}

/** Where code points are in a text that counts in units of UTF-16; positions must be in order. */
function units(text, positions) {
  const found = new Map();
  let unit = 0;
  let point = 0;
  for (const wanted of positions) {
    while (point < wanted && unit < text.length) {
      unit += text.codePointAt(unit) > 0xffff ? 2 : 1;
      point++;
    }
    found.set(wanted, unit);
  }
  return found;
}

/** Every verdict with a place, parts of parts too: [label, verdict, number of its colour]. */
function evidence(named) {
  const found = [];
  const visit = (label, verdict, colour) => {
    if (verdict.span && verdict.span[1] > verdict.span[0] && verdict.span[0] >= 0) found.push({ label, verdict, colour });
    (verdict.parts ?? []).forEach((part, index) => visit(`${label} ${index + 1}`, part, colour));
  };
  named.forEach(([name, verdict], index) => visit(name, verdict, index % 6));
  return found;
}

const WINDOW = 20000;

/** A completion with its evidence; of a long one what is around the evidence, and more on request. */
function highlighted(text, found) {
  const positions = [...new Set(found.flatMap(({ verdict }) => verdict.span))].sort((a, b) => a - b);
  const places = units(text, positions);
  const marks = found.map((each) => ({
    ...each,
    start: places.get(each.verdict.span[0]),
    end: places.get(each.verdict.span[1]),
  }));
  const last = marks.length ? Math.max(...marks.map((each) => each.end)) : text.length;
  let from = text.length <= 2 * WINDOW ? 0 : Math.max(0, Math.min(last, text.length) - WINDOW);
  let to = text.length <= 2 * WINDOW ? text.length : Math.min(text.length, from + 2 * WINDOW);
  const box = make('pre', { class: 'completion', dir: 'auto', tabindex: 0 });
  const draw = () => {
    box.replaceChildren();
    const more = (key, count, widen) =>
      count > 0 &&
      box.append(
        make('button', { type: 'button', class: 'more', on: { click: () => (widen(), draw()) } }, say(key, whole(count))),
      );
    more('more.before', from, () => (from = Math.max(0, from - 10 * WINDOW)));
    drawMarks(box, text, marks, from, to);
    more('more.after', text.length - to, () => (to = Math.min(text.length, to + 10 * WINDOW)));
  };
  draw();
  return box;
}

function drawMarks(box, text, marks, from, to) {
  const inside = marks.filter(({ start, end }) => end > from && start < to);
  const edges = [...new Set([from, to, ...inside.flatMap(({ start, end }) => [start, end])])]
    .filter((each) => each >= from && each <= to)
    .sort((a, b) => a - b);
  for (let index = 0; index + 1 < edges.length; index++) {
    const [start, end] = [edges[index], edges[index + 1]];
    const on = inside.filter((each) => each.start <= start && each.end >= end);
    const piece = text.slice(start, end);
    if (!on.length) appendText(box, piece);
    else {
      const mark = make('mark', { class: `part-${on[0].colour}${passes(on[0].verdict)}`, title: on.map(told).join('\n') });
      appendText(mark, piece);
      box.append(mark);
    }
  }
}

const passes = (verdict) => (verdict.score === 1 ? ' passed' : verdict.score === 0 ? ' failed' : '');
const told = ({ label, verdict }) => `${label}: ${verdict.reason} (${verdict.span[0]}–${verdict.span[1]})`;
