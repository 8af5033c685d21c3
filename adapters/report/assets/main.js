// Where it begins.
let themeName = 'light';

function drawAll() {
  document.documentElement.lang = language;
  document.documentElement.dataset.theme = themeName;
  byId('language').textContent = language === 'en' ? '한국어' : 'English';
  byId('theme').textContent = say(themeName === 'dark' ? 'theme.light' : 'theme.dark');
  byId('nav').replaceChildren(...['overview', ...(about.compared.length ? ['compared'] : []), 'rows', 'tables', ...(drawsCharts() ? ['charts'] : [])].map((each) =>
    make('button', { type: 'button', class: 'link', on: { click: () => byId(each).scrollIntoView() } }, say(`${each}.title`))));
  if (isServed()) tellServed('served.now');
  drawOverview();
  drawCompared();
  drawCharts();
  drawTables();
  const row = Number.parseInt(state.row, 10);
  if (row >= 0) pageOf(row);
  drawRowsSection();
  if (row >= 0) openRow(row, 'far');
}

/** Turn to the page of the list that has a row; says whether one has. */
function pageOf(row) {
  choose();
  const place = chosen.indexOf(row);
  if (place >= 0) state.page = String(Math.floor(place / PER_PAGE));
  return place >= 0;
}

function keys(event) {
  if (event.target.matches('input, select, textarea') || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'Escape') closeRow();
  else if (event.key === 'j') step(1);
  else if (event.key === 'k') step(-1);
  else if (event.key === '/') byId('filter-text').focus();
  else if (state.row !== '' && LABELS.some((each) => each[0] === event.key)) {
    const label = LABELS.find((each) => each[0] === event.key);
    const row = Number.parseInt(state.row, 10);
    setLabel(row, { label: labelOf(row) === label ? '' : label });
  }
  else return;
  event.preventDefault();
}

async function begin() {
  [words] = await Promise.all([unpackedJson('words'), readRows()]);
  readPlaces();
  readLabels();
  const address = readAddress();
  language = address.get('lang') ?? (navigator.language.startsWith('ko') ? 'ko' : 'en');
  themeName = address.get('theme') ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  const row = Number.parseInt(state.row, 10);
  if (!(row >= 0 && row < about.size)) state.row = '';
  byId('language').addEventListener('click', () => { language = language === 'en' ? 'ko' : 'en'; drawAll(); });
  byId('theme').addEventListener('click', () => { themeName = themeName === 'dark' ? 'light' : 'dark'; drawAll(); });
  document.addEventListener('keydown', keys);
  drawAll();
  if (state.text) startSearch();
  document.documentElement.dataset.ready = 'yes';
  follow();
}

begin();
