// The list of rows: fifty at a time, so that it is as quick for a million as for ten.
const PER_PAGE = 50;

function drawRowsSection() {
  byId('rows').replaceChildren(
    make('h2', {}, say('rows.title')),
    filterForm(),
    make('p', { class: 'status' }, make('span', { id: 'count', role: 'status' }), ' ', make('span', { id: 'search-status' })),
    make(
      'div',
      { class: 'list-and-detail' },
      make('div', { class: 'list' }, make('div', { id: 'list' }), make('div', { id: 'pager', class: 'pager' })),
      make('article', { id: 'detail', class: 'detail', 'aria-live': 'off' }),
    ),
  );
  drawRows();
}

let drawing = 0;

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
  fillAnswers(shownRows, mine);
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
  const heads = ['row', stepped && 'step', sourced && 'source', 'reward', part >= 0 && 'value', 'reason', 'answer', 'length'];
  const head = make('tr', {}, heads.filter(Boolean).map((each) => make('th', { scope: 'col', class: each }, each === 'value' ? about.parts[part] : say(`head.${each}`))));
  const body = rows.map((row) =>
    make(
      'tr',
      {
        'data-row': row, tabindex: 0, class: state.row === String(row) ? 'open' : '',
        on: { click: () => openRow(row), keydown: (event) => event.key === 'Enter' && openRow(row) },
      },
      make('td', { class: 'row' }, whole(row + 1), columns.flags[row] ? make('span', { class: 'flag', title: flagsOf(row) }, '⚑') : ''),
      stepped && make('td', { class: 'step' }, shown(columns.step[row])),
      sourced && make('td', { class: 'source' }, about.sources[columns.sources[row]]),
      make('td', { class: 'reward' }, shown(columns.reward[row])),
      part >= 0 && make('td', { class: `value ${tone(columns[`value.${part}`][row])}` }, shown(columns[`value.${part}`][row])),
      make('td', { class: 'reason' }, reasonOf(row, twin(part)) || say(`status.${about.statuses[columns.status[row]]}`)),
      make('td', { class: 'answer', id: `answer-${row}` }),
      make('td', { class: 'length' }, whole(columns.lengths[row])),
    ),
  );
  return make('table', {}, make('thead', {}, head), make('tbody', {}, body));
}

/** A strict part has no verdict of its own in the file: that of the part it is the twin of says more. */
function twin(part) {
  const name = about.parts[part] ?? '';
  const own = name.startsWith('strict.') ? about.parts.indexOf(name.slice('strict.'.length)) : -1;
  return own >= 0 ? own : part;
}

const tone = (value) => (value === 1 ? 'passed' : value === 0 ? 'failed' : '');

const flagsOf = (row) =>
  ['not_judged', 'not_strict', 'same_text', 'reference_unpaid']
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
