// Which rows are shown, and in which order. The state stands in the address, so that a view can be sent.
const START = {
  part: '', status: '', reason: '', min: '', max: '', source: '', from: '', to: '', flag: '', text: '',
  sort: '', down: '', page: '0', row: '', run: '', label: '',
};
const state = { ...START };
let hits = null; // rows that hold the text which is searched for
let chosen = new Uint32Array(0);

function readAddress() {
  const found = new URLSearchParams(location.hash.slice(1));
  for (const key of Object.keys(START)) state[key] = found.get(key) ?? START[key];
  if (!sorts().some(([key]) => key === sortKey())) state.sort = START.sort;
  return found;
}

function writeAddress() {
  const found = new URLSearchParams();
  for (const [key, value] of Object.entries({ ...state, lang: language, theme: themeName })) {
    if (value !== (START[key] ?? '')) found.set(key, value);
  }
  history.replaceState(null, '', `#${found}`);
}

const partNumber = () => about.parts.indexOf(state.part);

/** What a row can be sorted by, by its name. */
function sorts() {
  const own = [['row', null], ['reward', columns.reward], ['length', columns.lengths], ['group', columns.groups]];
  if (columns.change) own.unshift(['flips', flipOrder()]);
  if (outcomePart() >= 0) own.push(['reason', columns[`reason.${twin(outcomePart())}`]]);
  if (about.figures.steps.length) own.push(['step', columns.step]);
  about.parts.forEach((part, index) => own.push([`part.${part}`, columns[`value.${index}`]]));
  return own;
}

/** What rows are sorted by: of several runs what flipped comes first, unless somebody says otherwise. */
const sortKey = () => state.sort || (columns.change ? 'flips' : 'row');

let flipRanks = null;

/** Lost rows, then won ones, then the rest; counterparts stand together. */
function flipOrder() {
  const kind = (row) => (columns.change[row] < 0 ? 0 : columns.change[row] > 0 ? 1 : 2);
  flipRanks ??= Float64Array.from({ length: about.size }, (_, row) => kind(row) * 2 ** 40 + columns.pairs[row]);
  return flipRanks;
}

function bound(text, otherwise) {
  const value = Number.parseFloat(text);
  return Number.isNaN(value) ? otherwise : value;
}

/** One test for each filter that is set. */
function tests() {
  const part = partNumber();
  const values = part < 0 ? columns.reward : columns[`value.${part}`];
  const statuses = part < 0 ? columns.status : columns[`status.${part}`];
  const found = [];
  if (state.status) {
    const wanted = about.statuses.indexOf(state.status);
    found.push((row) => statuses[row] === wanted);
  }
  if (state.reason) {
    const wanted = about.reasons.indexOf(state.reason);
    const all = about.parts.map((_, index) => columns[`reason.${index}`]);
    const own = part < 0 ? all : [all[part]];
    found.push((row) => own.some((reasons) => reasons[row] === wanted));
  }
  if (state.min !== '' || state.max !== '') {
    const [low, high] = [bound(state.min, -Infinity), bound(state.max, Infinity)];
    found.push((row) => values[row] >= low && values[row] <= high);
  }
  if (state.source) {
    const wanted = about.sources.indexOf(state.source);
    found.push((row) => columns.sources[row] === wanted);
  }
  if (state.from !== '' || state.to !== '') {
    const [low, high] = [bound(state.from, -Infinity), bound(state.to, Infinity)];
    found.push((row) => columns.step[row] >= low && columns.step[row] <= high);
  }
  if (state.run) {
    const wanted = Number(state.run) - 1;
    found.push((row) => columns.runs[row] === wanted);
  }
  if (state.label === 'any') found.push(labelled);
  else if (state.label === 'none') found.push((row) => !labelled(row));
  else if (state.label === 'against') found.push(against);
  else if (state.label) found.push((row) => labelOf(row) === state.label);
  if (state.flag === 'text') found.push(hasText);
  else if (state.flag) {
    const bits = { any: 255, not_judged: 1, not_strict: 2, same_text: 4, reference_unpaid: 8, flipped: 16 }[state.flag] ?? 255;
    found.push((row) => (columns.flags[row] & bits) !== 0);
  }
  if (hits) found.push((row) => hits[row] === 1);
  return found;
}

/** Filter and sort all rows. */
function choose() {
  const all = tests();
  const found = new Uint32Array(about.size);
  let count = 0;
  for (let row = 0; row < about.size; row++) {
    let fits = true;
    for (let index = 0; fits && index < all.length; index++) fits = all[index](row);
    if (fits) found[count++] = row;
  }
  chosen = found.slice(0, count);
  const by = sorts().find(([key]) => key === sortKey())?.[1];
  if (by) chosen = sorted(chosen, ranks(by), state.down !== '');
  else if (state.down) chosen.reverse();
}

/** Whether a person's label contradicts the outcome. */
function against(row) {
  const value = outcomePart() < 0 ? columns.reward[row] : columns[`value.${outcomePart()}`][row];
  return { right: value !== 1, wrong: value !== 0 }[labelOf(row)] ?? false;
}

const known = new Map();

/** For each row the place of its value among all different ones; what has no value comes last. */
function ranks(values) {
  if (!known.has(values)) {
    const different = Float64Array.from([...new Set(values)].filter((each) => !Number.isNaN(each))).sort();
    const places = new Map([...different].map((value, place) => [value, place]));
    known.set(values, { count: different.length, of: Uint32Array.from(values, (each) => places.get(each) ?? different.length) });
  }
  return known.get(values);
}

/** Rows by rank, and those of one rank in their order: counted, which is quicker than comparing. */
function sorted(rows, { count, of }, down) {
  const turned = (row) => (down && of[row] < count ? count - 1 - of[row] : of[row]);
  const starts = new Uint32Array(count + 2);
  for (const row of rows) starts[turned(row) + 1]++;
  for (let place = 1; place < starts.length; place++) starts[place] += starts[place - 1];
  const found = new Uint32Array(rows.length);
  for (const row of rows) found[starts[turned(row)]++] = row;
  return found;
}

const redraw = later(() => drawRows(), 150);

/** Take a filter's new value. */
function setFilter(changes) {
  const textChanged = 'text' in changes && changes.text !== state.text;
  Object.assign(state, { page: '0' }, changes);
  if (textChanged) startSearch();
  drawRows();
}

async function startSearch() {
  stopSearch();
  hits = state.text ? new Uint8Array(about.size) : null;
  byId('search-status').textContent = '';
  if (state.text) await searchTexts(0);
}

async function searchTexts(from) {
  await search(state.text, hits, (done, all) => {
    const left = done < all ? say('search.running', done, all) : '';
    const missing = about.size - textPlaces.length;
    byId('search-status').textContent = left || (missing ? say('search.missing', whole(missing)) : say('search.done'));
    if (done === all || done % 8 === 0) redraw();
  }, from);
}

function choice(key, options) {
  const select = make('select', { id: `filter-${key}`, on: { change: (event) => setFilter({ [key]: event.target.value }) } });
  for (const [value, text] of options) select.append(make('option', { value, selected: (key === 'sort' ? sortKey() : state[key]) === value }, text));
  return make('label', {}, say(`filter.${key}`), select);
}

function entry(key, type) {
  const take = later((event) => setFilter({ [key]: event.target.value }), key === 'text' ? 250 : 100);
  const field = { id: `filter-${key}`, type, step: 'any', value: state[key], on: { input: take } };
  return make('label', { class: key === 'text' ? 'wide' : '' }, say(`filter.${key}`), make('input', field));
}

/** The form above the list. */
function filterForm() {
  const reasons = new Map();
  for (const each of about.figures.reasons) {
    if (!state.part || each.part === state.part) reasons.set(each.reason, (reasons.get(each.reason) ?? 0) + each.count);
  }
  const listed = [...reasons].sort((a, b) => b[1] - a[1]).slice(0, 500);
  const any = ['', say('any')];
  const stepped = about.figures.steps.length > 0;
  const flags = ['any', 'not_judged', 'not_strict', 'same_text', 'reference_unpaid', ...(about.runs.length ? ['flipped'] : [])].map((each) => [each, say(`flag.${each}`)]);
  if (textPlaces.length < about.size) flags.push(['text', say('flag.text')]);
  return make(
    'form',
    { class: 'filters', role: 'search', on: { submit: (event) => event.preventDefault() } },
    entry('text', 'search'),
    choice('part', [['', say('reward')], ...about.parts.map((each) => [each, each])]),
    choice('status', [any, ...about.statuses.slice(1).map((each) => [each, say(`status.${each}`)])]),
    choice('reason', [any, ...listed.map(([each, count]) => [each, `${each} (${whole(count)})`])]),
    make('div', { class: 'pair' }, entry('min', 'number'), entry('max', 'number')),
    about.sources.length > 1 && choice('source', [any, ...about.sources.map((each) => [each, each])]),
    stepped && make('div', { class: 'pair' }, entry('from', 'number'), entry('to', 'number')),
    about.runs.length > 0 && choice('run', [any, ...about.runs.map((each, place) => [String(place + 1), each])]),
    choice('flag', [any, ...flags]),
    choice('label', [any, ...['any', 'right', 'wrong', 'unsure', 'against', 'none'].map((each) => [each, say(`label.${each}`)])]),
    choice('sort', sorts().map(([key]) => [key, key.startsWith('part.') ? key.slice(5) : say(`sort.${key}`)])),
    choice('down', [['', say('sort.up')], ['1', say('sort.down')]]),
    make('button', { type: 'button', on: { click: clearFilters } }, say('filter.clear')),
  );
}

function clearFilters() {
  Object.assign(state, START);
  startSearch();
  drawRowsSection();
}
