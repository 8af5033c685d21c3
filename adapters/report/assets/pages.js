// The list of rows: fifty at a time, so that it is as quick for a million as for ten.
const PER_PAGE = 50;

function drawRowsSection() {
  byId('rows').replaceChildren(
    make('h2', {}, say('rows.title')),
    filterForm(),
    exports_(),
    make('p', { class: 'status' }, make('span', { id: 'count', role: 'status' }), ' ', make('span', { id: 'search-status' })),
    make(
      'div',
      { class: 'list-and-detail' },
      make('div', { class: 'list' }, make('div', { id: 'list' }), make('div', { id: 'pager', class: 'pager' })),
      make('article', { id: 'detail', class: 'detail', 'aria-live': 'off' }),
    ),
  );
  drawRows();
  drawLabelled();
}

let drawing = 0;
let filling = Promise.resolve();

/** Draw the page of the list that the state names. */
function drawRows() {
  const mine = ++drawing;
  choose();
  const pages = Math.max(1, Math.ceil(chosen.length / PER_PAGE));
  const page = Math.min(Math.max(0, Number.parseInt(state.page, 10) || 0), pages - 1);
  state.page = String(page);
  writeAddress();
  byId('count').textContent = say('rows.count', whole(chosen.length), whole(about.size));
  const shownRows = [...chosen.slice(page * PER_PAGE, (page + 1) * PER_PAGE)];
  byId('list').replaceChildren(listTable(shownRows));
  drawPager(page, pages);
  filling = fillAnswers(shownRows, mine);
  byId('list').dataset.ready = '';
  reasonOptions();
}

function reasonOptions() {
  // The reasons of another part are others.
  const field = byId('filter-reason');
  if (field.dataset.part === undefined) field.dataset.part = state.part;
  if (field.dataset.part !== state.part) {
    const fresh = filterForm().querySelector('#filter-reason');
    fresh.dataset.part = state.part;
    field.replaceWith(fresh);
    if (![...fresh.options].some((each) => each.value === state.reason)) {
      state.reason = '';
      drawRows();
    }
  }
}

function listTable(rows) {
  const stepped = about.figures.steps.length > 0;
  const sourced = about.sources.length > 1;
  const part = partNumber() < 0 ? outcomePart() : partNumber();
  const heads = [
    'row', about.runs.length > 0 && 'run', stepped && 'step', sourced && 'source', 'prompt', 'completion', 'answer',
    'reward', part >= 0 && 'value', 'reason', 'length', 'label',
  ];
  const keys = { row: 'row', step: 'step', prompt: 'group', reward: 'reward', value: `part.${about.parts[part]}`, length: 'length', reason: outcomePart() >= 0 && 'reason' };
  const head = make('tr', {}, heads.filter(Boolean).map((each) => sortHead(each, keys[each], each === 'value' ? about.parts[part] : say(`head.${each}`))));
  const body = rows.map((row) =>
    make(
      'tr',
      {
        'data-row': row, tabindex: 0, class: state.row === String(row) ? 'open' : '',
        on: { click: () => openRow(row), keydown: (event) => event.key === 'Enter' && openRow(row) },
      },
      make('td', { class: 'row' }, whole(row + 1), columns.flags[row] ? make('span', { class: 'flag', title: flagsOf(row) }, '⚑') : ''),
      about.runs.length > 0 && make('td', { class: 'run' }, about.runs[columns.runs[row]]),
      stepped && make('td', { class: 'step' }, shown(columns.step[row])),
      sourced && make('td', { class: 'source' }, about.sources[columns.sources[row]]),
      make('td', { class: 'prompt' }, make('div', { class: 'clipped', id: `prompt-${row}` })),
      make('td', { class: 'completion' }, make('div', { class: 'clipped', id: `completion-${row}` })),
      make('td', { class: 'answer', id: `answer-${row}` }),
      make('td', { class: 'reward', title: partsOf(row) }, shown(columns.reward[row])),
      part >= 0 && make('td', { class: `value ${tone(columns[`value.${part}`][row])}` }, shown(columns[`value.${part}`][row])),
      make('td', { class: 'reason' }, reasonOf(row, twin(part)) || say(`status.${about.statuses[columns.status[row]]}`)),
      make('td', { class: 'length' }, whole(columns.lengths[row])),
      make('td', { class: 'label', id: `label-${row}` }, labelMark(row)),
    ),
  );
  return make('table', {}, make('thead', {}, head), make('tbody', {}, body));
}

/** A head that sorts by its column, and turns the order when it does already. */
function sortHead(name, key, text) {
  if (!key) return make('th', { scope: 'col', class: name }, text);
  const active = sortKey() === key;
  const order = active ? (state.down ? 'descending' : 'ascending') : 'none';
  const turn = () => {
    Object.assign(state, { sort: key, down: active && !state.down ? '1' : '', page: '0' });
    drawRowsSection();
    document.querySelector(`#list th.${name} button`)?.focus();
  };
  return make('th', { scope: 'col', class: name, 'aria-sort': order },
    make('button', { type: 'button', class: 'link', on: { click: turn } }, text, active ? (state.down ? ' ↓' : ' ↑') : ''));
}

/** The value of every part, as one line. */
const partsOf = (row) =>
  about.parts.map((part, index) => [part, columns[`value.${index}`][row]]).filter(([, value]) => !Number.isNaN(value))
    .map(([part, value]) => `${part} ${shown(value)}`).join(' · ');

const CLIP = 90;

/** A completion around its evidence, which is highlighted; its end, where answers stand, if there is none. */
function clipped(own) {
  const name = about.parts[twin(outcomePart())];
  const all = evidence(own.v);
  const found = all.find(({ label }) => label === name) ?? all[0];
  const box = document.createDocumentFragment();
  if (!found) {
    appendText(box, (own.c.length > 2 * CLIP ? '…' : '') + own.c.slice(-2 * CLIP));
    return box;
  }
  const places = units(own.c, found.verdict.span);
  const [start, end] = found.verdict.span.map((each) => places.get(each));
  const from = Math.max(0, start - CLIP / 2);
  appendText(box, (from > 0 ? '…' : '') + own.c.slice(from, start));
  const mark = make('mark', { class: `part-${found.colour}${passes(found.verdict)}` });
  appendText(mark, own.c.slice(start, Math.min(end, start + CLIP)));
  box.append(mark);
  appendText(box, own.c.slice(end, end + CLIP) + (own.c.length > end + CLIP ? '…' : ''));
  return box;
}

/** A strict part has no verdict of its own in the file: that of the part it is the twin of says more. */
function twin(part) {
  const name = about.parts[part] ?? '';
  const own = name.startsWith('strict.') ? about.parts.indexOf(name.slice('strict.'.length)) : -1;
  return own >= 0 ? own : part;
}

const tone = (value) => (value === 1 ? 'passed' : value === 0 ? 'failed' : '');

const flagsOf = (row) =>
  ['not_judged', 'not_strict', 'same_text', 'reference_unpaid', 'flipped']
    .filter((_, bit) => columns.flags[row] & (1 << bit))
    .map((each) => say(`flag.${each}`))
    .join(', ');

/** One after the other, so that the list itself is there at once. */
async function fillAnswers(rows, mine) {
  await new Promise((go) => setTimeout(go));
  for (const row of rows) if (mine === drawing) await fillAnswer(row, mine);
}

/** What was taken as the answer and what was expected, once the texts are there. */
async function fillAnswer(row, mine) {
  const own = await textOf(row);
  const cell = byId(`answer-${row}`);
  if (mine !== drawing || !cell) return;
  if (!own) {
    cell.append(make('i', {}, say('no.text')));
    return;
  }
  appendText(byId(`prompt-${row}`), own.p.slice(-2 * CLIP));
  byId(`completion-${row}`).append(clipped(own));
  const part = about.parts[twin(partNumber() < 0 ? outcomePart() : partNumber())];
  const verdict = (own.v.find(([name]) => name === part) ?? own.v.find(([, each]) => each.extracted != null))?.[1];
  const short = (text) => (text.length > 60 ? `${text.slice(0, 60)}…` : text);
  if (verdict?.extracted == null) return;
  const answer = make('bdi', { class: 'given' });
  appendText(answer, short(verdict.extracted));
  cell.append(answer);
  if (verdict.expected == null || verdict.expected === verdict.extracted) return;
  const expected = make('bdi', { class: 'expected' });
  appendText(expected, short(verdict.expected));
  cell.append(' ← ', expected);
}

function drawPager(page, pages) {
  const go = (to, text, label) =>
    make('button', { type: 'button', disabled: to < 0 || to >= pages || to === page, 'aria-label': label, on: { click: () => turn(to) } }, text);
  byId('pager').replaceChildren(
    go(0, '«', say('page.first')),
    go(page - 1, '‹', say('page.before')),
    make('span', {}, say('page.of', whole(page + 1), whole(pages))),
    go(page + 1, '›', say('page.after')),
    go(pages - 1, '»', say('page.last')),
  );
}

function turn(page) {
  state.page = String(page);
  drawRows();
  byId('list').scrollTo?.({ top: 0 });
}
