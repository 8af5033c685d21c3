// A page that is served while its files grow asks now and then whether there is more. A saved one never asks.
const ASK_EVERY = 2000;
const isServed = () => about.served !== null && location.protocol === 'http:';

async function follow() {
  if (!isServed()) return;
  tellServed('served.now');
  for (;;) {
    await new Promise((go) => setTimeout(go, ASK_EVERY));
    if (document.hidden) continue;
    try {
      const { version } = await (await fetch('version')).json();
      if (version !== about.served) await refresh();
      tellServed('served.now');
    } catch {
      tellServed('served.gone');
    }
  }
}

function tellServed(key) {
  byId('served').replaceChildren(say(key, new Date().toLocaleTimeString(language === 'ko' ? 'ko-KR' : 'en-GB')), ' · ',
    make('a', { href: 'report.html', download: '' }, say('served.save')));
}

/** Take in what the files have gained: filters, the open row and the place on the page stay. */
async function refresh() {
  const before = about.texts.starts.length;
  const { about: packed, columns: numbers_ } = await (await fetch('data')).json();
  // A page that is saved from the browser has what it showed.
  byId('about').textContent = packed;
  byId('columns').textContent = numbers_;
  await readRows();
  readPlaces();
  members = null;
  known.clear();
  const writing = document.activeElement?.closest('.filters');
  const place = [scrollX, scrollY];
  drawOverview();
  drawCharts();
  drawTables();
  const shownRow = byId('detail');
  if (hits) {
    const grown = new Uint8Array(about.size);
    grown.set(hits);
    hits = grown;
    searchTexts(before);
  }
  if (writing) drawRows();
  else {
    drawRowsSection();
    byId('detail').replaceWith(shownRow);
  }
  scrollTo(...place);
}
