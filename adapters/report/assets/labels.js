// What a person says of rows: kept in this browser, and exported as JSON Lines or as rows of cases.
const LABELS = ['right', 'wrong', 'unsure'];
const shelf = () => `verify-cli report: ${about.title}: ${about.size}`;
let labels = {};

/** What tells a row apart in whatever page shows it: its file and line. */
const placeKey = (row) => `${about.files[columns.files[row]] ?? ''}:${columns.lines[row]}`;
const labelOf = (row) => labels[placeKey(row)]?.label ?? '';
const labelled = (row) => placeKey(row) in labels;

function readLabels() {
  try {
    labels = JSON.parse(localStorage.getItem(shelf()) ?? '{}');
  } catch {
    labels = {}; // a browser that keeps nothing for files: labels live as long as the page
  }
}

/** Change what is said of a row; what says nothing is forgotten. */
function setLabel(row, changes) {
  const key = placeKey(row);
  const found = { label: '', note: '', ...labels[key], ...changes };
  if (found.label || found.note) labels[key] = found;
  else delete labels[key];
  try {
    localStorage.setItem(shelf(), JSON.stringify(labels));
  } catch {
    // kept until the page is closed
  }
  drawLabelled();
  const cell = byId(`label-${row}`);
  if (cell) cell.replaceChildren(...labelMark(row));
  for (const each of document.querySelectorAll('.detail .label button')) each.setAttribute('aria-pressed', String(each.value === labelOf(row)));
}

function labelMark(row) {
  const label = labelOf(row);
  const sign = { right: '✓', wrong: '✗', unsure: '?' }[label];
  const note = labels[placeKey(row)]?.note;
  return [
    sign ? make('span', { class: { right: 'passed', wrong: 'failed' }[label] ?? '', title: say(`label.${label}`) }, sign) : '',
    note ? make('span', { title: note }, ' ✎') : '',
  ].filter(Boolean);
}

/** Buttons and a note, in the row that is open. */
function labelBox(row) {
  const found = labels[placeKey(row)] ?? {};
  return make(
    'section',
    { class: 'label' },
    make('h4', { id: 'label-head' }, say('label.head')),
    make('div', { class: 'moves', role: 'group', 'aria-labelledby': 'label-head' }, LABELS.map((each) =>
      make('button', {
        type: 'button', value: each, 'aria-pressed': String(found.label === each),
        on: { click: () => setLabel(row, { label: labelOf(row) === each ? '' : each }) },
      }, say(`label.${each}`)))),
    make('label', { class: 'note-field' }, say('label.note'),
      make('textarea', { id: 'note', rows: 2, on: { input: (event) => setLabel(row, { note: event.target.value }) } }, found.note ?? '')),
  );
}

function drawLabelled() {
  const count = Object.keys(labels).length;
  byId('labelled').textContent = count ? say('label.count', whole(count)) : '';
  for (const each of document.querySelectorAll('.needs-labels')) each.disabled = !count;
}

/** Buttons that write files, below the filters. */
function exports_() {
  const write = (key, run, own = '') => make('button', { type: 'button', class: own, on: { click: run } }, say(key));
  return make(
    'div',
    { class: 'exports', role: 'group', 'aria-label': say('export.head') },
    make('span', { id: 'labelled', role: 'status' }),
    write('export.cases', () => download('cases.jsonl', caseRow, labelledRows()), 'needs-labels'),
    write('export.labels', () => download('labels.jsonl', labelRow, labelledRows()), 'needs-labels'),
    write('export.rows', () => download('rows.jsonl', shownRow, [...chosen])),
  );
}

const labelledRows = () => [...Array(about.size).keys()].filter(labelled);

async function download(name, written, rows) {
  const lines = [];
  for (const row of rows) {
    const own = await textOf(row);
    const line = own ? written(row, own) : null;
    if (line) lines.push(JSON.stringify(line));
  }
  const url = URL.createObjectURL(new Blob(lines.map((each) => `${each}\n`), { type: 'application/x-ndjson' }));
  const link = make('a', { href: url, download: `${about.title.replace(/[^\p{L}\p{N}.-]+/gu, '-')}.${name}` });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** A completion as verifiers take it: one whose thinking stood apart is a message again. */
const completionOf = (own) => (own.t ? [{ role: 'assistant', reasoning_content: own.t, content: own.c }] : own.c);

function common(row, own) {
  return {
    file: about.files[columns.files[row]], line: columns.lines[row],
    ...(about.runs.length ? { run: about.runs[columns.runs[row]] } : {}),
    ...(own.p ? { prompt: own.p } : {}), completion: completionOf(own), ...('r' in own ? { reference: own.r } : {}),
  };
}

function shownRow(row, own) {
  const value = columns.reward[row];
  return { ...common(row, own), reward: Number.isNaN(value) ? null : value, verdicts: Object.fromEntries(own.v), ...labels[placeKey(row)] };
}

const labelRow = (row, own) => ({ ...common(row, own), ...labels[placeKey(row)] });

/** A row that `verify-cli test` runs; of a label that decides nothing there is none. */
function caseRow(row, own) {
  const { label, note } = labels[placeKey(row)] ?? {};
  const part = about.parts[twin(outcomePart())] ?? about.parts[0];
  if (label !== 'right' && label !== 'wrong') return null;
  const { file, line, run, prompt, completion, reference } = common(row, own);
  return {
    id: `${file}:${line}`, completion, reference: reference ?? null, score: label === 'right' ? 1 : 0,
    spec: about.specs[part] ?? about.verifiers[part], ...(note ? { note } : {}), ...(prompt ? { fields: { prompt } } : {}),
  };
}
