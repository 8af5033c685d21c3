// One row: its completion with evidence, its verdicts as a tree, its group.
let opened = 0;

async function openRow(row, scroll = true) {
  const mine = ++opened;
  state.row = String(row);
  writeAddress();
  for (const each of document.querySelectorAll('tr[data-row]')) each.classList.toggle('open', each.dataset.row === state.row);
  const own = await textOf(row);
  if (mine !== opened) return;
  const box = byId('detail');
  box.replaceChildren(...detailOf(row, own));
  box.classList.add('shown');
  box.dataset.row = row;
  besides(row, own, byId('beside'));
  if (scroll) box.scrollTop = 0;
  // Rows above it grow when their texts come.
  if (scroll === 'far') await filling;
  if (mine === opened) document.querySelector(`tr[data-row="${row}"]`)?.scrollIntoView({ block: scroll === 'far' ? 'center' : 'nearest' });
}

function closeRow() {
  opened++;
  state.row = '';
  byId('detail').classList.remove('shown');
  byId('detail').replaceChildren();
  writeAddress();
}

/** The row before or after in the list. */
function step(by) {
  const place = chosen.indexOf(Number.parseInt(state.row, 10));
  const next = chosen[Math.max(0, place + by)];
  if (next === undefined) return;
  const page = String(Math.floor(Math.max(0, place + by) / PER_PAGE));
  if (page !== state.page) turn(page);
  openRow(next);
}

function detailOf(row, own) {
  const file = about.files[columns.files[row]] ?? '';
  const facts = [
    [say('head.line'), `${file}:${columns.lines[row]}`],
    about.figures.steps.length && [say('head.step'), shown(columns.step[row])],
    about.sources.length > 0 && [say('head.source'), about.sources[columns.sources[row]]],
    about.runs.length > 0 && [say('head.run'), about.runs[columns.runs[row]]],
    [say('head.length'), `${whole(columns.lengths[row])} ${say(`axis.${about.figures.length_unit}`)}`],
    columns.flags[row] && [say('head.flags'), flagsOf(row)],
  ];
  const values = about.parts
    .map((part, index) => [part, columns[`value.${index}`][row]])
    .filter(([part, value], index) => !Number.isNaN(value) || reasonOf(row, index))
    .map(([part, value]) => make('span', { class: `chip ${tone(value)}` }, `${part} ${shown(value)}`));
  const head = make(
    'header',
    {},
    make('h3', {}, `${say('head.row')} ${whole(row + 1)} · ${say('reward')} ${shown(columns.reward[row])}`),
    make(
      'div',
      { class: 'moves' },
      make('button', { type: 'button', on: { click: () => step(-1) }, 'aria-label': say('row.before') }, '▲'),
      make('button', { type: 'button', on: { click: () => step(1) }, 'aria-label': say('row.after') }, '▼'),
      make('button', { type: 'button', id: 'close', on: { click: closeRow }, 'aria-label': say('row.close') }, '✕'),
    ),
  );
  const about_ = make('dl', {}, facts.filter(Boolean).map(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]));
  const top = [head, make('p', { class: 'chips' }, values), about_];
  if (!own) return [...top, make('div', { id: 'beside' }), labelBox(row), make('p', { class: 'note' }, say('no.text.long', file, columns.lines[row])), groupTable(row)];
  const marks = evidence(own.v);
  return [
    ...top,
    own.p && folded('prompt', own.p, own.p.length < 600),
    (own.m ?? []).map((each) => folded('message', each, false)),
    own.t && folded('thinking', own.t, false),
    make('h4', {}, say('completion')),
    marks.length > 0 && legend(marks),
    highlighted(own.c, marks),
    make('div', { id: 'beside' }),
    labelBox(row),
    make('h4', {}, say('verdicts')),
    make('ul', { class: 'tree' }, own.v.map(([name, verdict], index) => branch(name, verdict, index % 6))),
    own.x && others(own.x),
    groupTable(row, own),
  ].flat().filter(Boolean);
}

function folded(key, text, open) {
  const box = make('pre', { class: 'other', dir: 'auto' });
  appendText(box, text.slice(0, 10 * WINDOW));
  return make('details', { open }, make('summary', {}, say(key)), box);
}

function legend(marks) {
  const seen = new Map(marks.map((each) => [each.label.replace(/ \d+$/, ''), each]));
  return make('p', { class: 'legend' }, [...seen].map(([label, each]) => make('mark', { class: `part-${each.colour}${passes(each.verdict)}` }, label)));
}

/** A verdict and what it is made of. */
function branch(name, verdict, colour) {
  const score = verdict.score == null ? say(`status.${verdict.status}`) : shown(verdict.score);
  const meaning = about.figures.reasons.find((each) => each.reason === verdict.reason && each.meaning)?.meaning;
  const line = (key, text) => {
    if (text == null || text === '') return '';
    const value = make('bdi', { class: 'value' });
    appendText(value, String(text).slice(0, WINDOW));
    return make('li', {}, make('span', { class: 'key' }, say(key)), ' ', value);
  };
  const read = verdict.read ?? {};
  return make(
    'li',
    {},
    make('div', { class: 'verdict' }, make('mark', { class: `part-${colour}${passes(verdict)}` }, name), ' ',
      make('b', { class: tone(verdict.score) }, score), ' ', make('code', {}, verdict.reason ?? ''), ' ',
      make('span', { class: 'quiet' }, verdict.verifier ?? '')),
    make(
      'ul',
      {},
      meaning && make('li', { class: 'quiet' }, meaning),
      line('extracted', verdict.extracted),
      read.extracted && line('read.as', read.extracted),
      verdict.span && line('span', `${verdict.span[0]}–${verdict.span[1]}`),
      line('expected', verdict.expected),
      read.expected && line('read.as', read.expected),
      line('detail', verdict.detail),
      verdict.raw != null && line('raw', shown(verdict.raw, 6)),
      (verdict.parts ?? []).map((part, index) => branch(`${index + 1}`, part, colour)),
      verdict.more && make('li', { class: 'quiet' }, say('more.parts', whole(verdict.more))),
    ),
  );
}

function others(cells) {
  const rows = Object.entries(cells).map(([name, text]) => {
    const cell = make('td', {});
    appendText(cell, text);
    return make('tr', {}, make('th', { scope: 'row' }, name), cell);
  });
  return make('details', {}, make('summary', {}, say('columns')), make('table', { class: 'others' }, rows));
}

/** The other completions of the group; each can be opened, or compared with this one. */
function groupTable(row, own = null) {
  const rows = groupOf(row);
  if (rows.length < 2) return '';
  const part = twin(outcomePart());
  const place = make('div', { class: 'compared' });
  const line = (other) =>
    make(
      'tr',
      { class: other === row ? 'open' : '' },
      make('td', {}, make('button', { type: 'button', class: 'link', on: { click: () => openRow(other) } }, whole(other + 1))),
      make('td', {}, shown(columns.reward[other])),
      make('td', { class: tone(columns[`value.${outcomePart()}`]?.[other]) }, reasonOf(other, part)),
      make('td', {}, whole(columns.lengths[other])),
      make('td', {}, other !== row && own && hasText(other)
        ? make('button', { type: 'button', class: 'compare', on: { click: () => compareWith(other, own, place) } }, say('compare'))
        : ''),
    );
  const heads = ['row', 'reward', 'reason', 'length'].map((each) => make('th', { scope: 'col' }, say(`head.${each}`)));
  return make(
    'section',
    { class: 'group' },
    make('h4', {}, say('group', whole(rows.length))),
    make('table', {}, make('thead', {}, make('tr', {}, heads, make('th', { scope: 'col' }, say('compare')))), make('tbody', {}, rows.slice(0, 256).map(line))),
    place,
  );
}

async function compareWith(other, own, place) {
  const theirs = await textOf(other);
  place.replaceChildren(
    make('p', { class: 'quiet' }, say('compare.note', whole(other + 1))),
    theirs ? differenceBox(own.c, theirs.c) : make('p', {}, say('no.text')),
  );
}
