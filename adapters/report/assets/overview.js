// What comes first: figures, what the page leaves out, alarms; and the tables.
function card(name, value, note = '', own = '') {
  return make('div', { class: `card ${own}` }, make('div', { class: 'name' }, name), make('div', { class: 'figure' }, value), make('div', { class: 'quiet' }, note));
}

function drawOverview() {
  const { figures } = about;
  byId('overview').replaceChildren(...[
    make('h2', {}, say('overview.title')),
    make('p', { class: 'what' }, say('what.rows', whole(figures.rows), whole(figures.prompts), Object.values(about.verifiers).filter((each, place, all) => all.indexOf(each) === place).join(', '))),
    about.runs.length ? make('div', {}, runsTable(), ...changed()) : make('div', { class: 'cards' }, cards()),
    alarmList(),
    measuredTable(),
    firstRows(),
    make('details', {}, make('summary', {}, say('notes.title')), make('ul', { class: 'notes' }, notes().map((each) => make('li', {}, each)))),
  ].filter(Boolean));
  fillFirst();
}

/** The headline, and what puts it in doubt; what says nothing has no card. */
function cards() {
  const { figures } = about;
  const range = (found, as = shown) => (found?.low == null ? '' : say('interval', as(found.low), as(found.high)));
  const best = mostPasses(figures.pass_at_k, figures.prompts);
  const flagged = Object.values(figures.flags).reduce((sum, each) => sum + each, 0);
  const broken = figures.status.unscored + figures.status.fault;
  return [
    figures.accuracy && card(figures.outcome === 'accuracy' ? say('axis.accuracy') : say('card.accuracy', figures.outcome), percent(figures.accuracy.mean), range(figures.accuracy, percent), 'head'),
    card(say('card.reward'), shown(figures.reward?.mean), range(figures.reward), figures.accuracy ? '' : 'head'),
    best && best.k > 1 && card(`pass@${best.k}`, percent(best.mean), range(best, percent)),
    figures.groups.several > 0 && card(say('card.flat'), percent(figures.groups.flat_rewards), say('card.flat.note')),
    card(say('card.unjudged'), whole(broken), say('card.unjudged.note', whole(figures.status.unscored), whole(figures.status.fault))),
    flagged > 0 && card(say('card.flagged'), whole(flagged), say('card.flagged.note')),
  ].filter(Boolean);
}

/** One sentence for each run: what changed since the first. */
function changed() {
  return about.compared.filter((each) => each.run).map((found) => {
    const part = found.parts[found.outcome] ?? found.parts.reward;
    if (!part.pairs) return make('p', {}, say('changed.none', found.second));
    return make('p', {}, say('changed', found.second, percent(part.before), percent(part.after), points(part.difference), found.first, whole(part.fell), whole(part.rose)));
  });
}

/** The rows to look at first, and why. */
function firstRows() {
  const rows = about.figures.first;
  if (!rows.length) return null;
  return make('section', { class: 'first', 'aria-labelledby': 'first-head' },
    make('h3', { id: 'first-head' }, say('first.title')),
    make('ol', {}, rows.map(({ row, why }) => make('li', {},
      make('button', { type: 'button', class: 'link', on: { click: () => goTo(row) } }, say('first.row', whole(row + 1))),
      ' ', make('b', {}, say(`why.${why}`)), about.runs.length ? ` · ${about.runs[columns.runs[row]]}` : '',
      reasonOf(row, twin(outcomePart())) ? make('code', {}, ` ${reasonOf(row, twin(outcomePart()))}`) : '',
      make('div', { class: 'clipped', id: `first-${row}` })))));
}

async function fillFirst() {
  await new Promise((go) => setTimeout(go));
  for (const { row } of about.figures.first) {
    const own = await textOf(row);
    if (own) byId(`first-${row}`)?.replaceChildren(clipped(own));
  }
}

/** Open a row in the list, whatever filters stand in its way. */
function goTo(row) {
  state.row = String(row);
  if (!pageOf(row)) {
    Object.assign(state, START, { row: state.row });
    pageOf(row);
  }
  drawRowsSection();
  openRow(row, 'far');
}

function notes() {
  const { figures } = about;
  const missing = about.size - textPlaces.length;
  return [
    about.files.slice(0, 8).join(', ') + (about.files.length > 8 ? ' …' : ''),
    about.charts.length > 0 && !drawsCharts() && say('note.no.charts'),
    say('note.interval'),
    figures.outcome === null && say('note.no.outcome'),
    missing > 0 && say('note.sample', whole(textPlaces.length), whole(about.size)),
    about.withoutPrompt > 0 && say('note.no.prompt', whole(about.withoutPrompt)),
    about.unreadable > 0 && `${say('note.unreadable', whole(about.unreadable))} ${about.problems.join('; ')}`,
    about.moreParts > 0 && say('note.more.parts', about.parts.length),
    about.texts.readingsLeftOut > 0 && say('note.readings', whole(about.texts.readingsLeftOut)),
    ...(about.run?.notes ?? []).map((each) => say(each)),
    ...Object.entries(about.signatures).map(([each, count]) => say('note.signature', whole(count), each)),
  ].filter(Boolean);
}

function alarmList() {
  if (!about.run) return null;
  const { alarms } = about.run;
  if (!alarms.length) return make('p', {}, say('alarms.none'));
  return make('ul', { class: 'alarms' }, alarms.map((each) => make('li', {}, make('b', {}, `${say(`level.${each.level}`)} ${each.name} (${say('axis.step')} ${each.step})`), ` ${each.message}`)));
}

function measuredTable() {
  const rows = about.run?.metrics ?? [];
  if (!rows.length) return null;
  const margin = (each) => (each.error == null ? '' : ` ± ${percent(each.error)}`);
  return table(
    [say('measured.set'), say('measured.when'), say('measured.accuracy'), 'n'],
    rows.map((each) => [each.set, say(`measured.${each.when}`), percent(each.accuracy) + margin(each), whole(each.n ?? 0)]),
  );
}

function table(heads, rows) {
  return make(
    'div',
    { class: 'scroll', tabindex: 0 },
    make('table', {}, make('thead', {}, make('tr', {}, heads.map((each) => make('th', { scope: 'col' }, each)))),
      make('tbody', {}, rows.map((row) => make('tr', {}, row.map((each) => make('td', {}, each)))))),
  );
}

function drawTables() {
  const { figures } = about;
  const link = (text, changes) =>
    make('button', { type: 'button', class: 'link', on: { click: () => showRows(changes) } }, text);
  const parts = Object.entries(figures.parts).map(([name, each]) => [
    link(name, { part: name }), ...(about.runs.length ? figures.runs.map((run) => interval(run.parts[name])) : [interval(each), whole(each.n ?? 0)]),
    whole(each.unscored), whole(each.faults),
  ]);
  const reasons = figures.reasons.slice(0, 200).map((each) => [
    each.part,
    link(each.reason, { part: each.part, reason: each.reason, status: each.status }),
    say(`status.${each.status}`), ...(each.runs ?? []).map((count) => whole(count)), whole(each.count), percent(each.count / about.size), shown(each.reward), each.meaning,
  ]);
  const unpaid = figures.reference_unpaid.map((each) => [
    each.part, link(each.reason, { part: each.part, reason: each.reason, flag: 'reference_unpaid' }),
    whole(each.count), percent(each.count / about.size),
  ]);
  const sources = figures.sources.map((each) => [
    link(each.source, { source: each.source }), whole(each.rows), whole(each.prompts),
    interval(each.accuracy, percent), interval(each.reward), shown(each.length), whole(each.unscored),
  ]);
  const passes = figures.pass_at_k.map((each) => [`pass@${each.k}`, interval(each, percent), whole(each.prompts)]);
  byId('tables').replaceChildren(...[
    make('h2', {}, say('tables.title')),
    passes.length > 1 && folding('table.passes', table(['k', say('axis.mean'), say('axis.prompts')], passes)),
    folding('table.parts', table([say('axis.part'), ...(about.runs.length ? about.runs : [say('axis.mean'), 'n']), say('status.unscored'), say('status.fault')], parts)),
    folding('table.reasons', table(
      [say('axis.part'), say('head.reason'), say('filter.status'), ...about.runs, say('axis.count'), say('axis.share'), say('axis.mean_reward'), say('head.meaning')],
      reasons)),
    unpaid.length > 0 && folding('table.unpaid', table(
      [say('axis.part'), say('head.reason'), say('axis.count'), say('axis.share')], unpaid)),
    sources.length > 0 && folding('table.sources', table(
      [say('head.source'), say('card.rows'), say('axis.prompts'), say('axis.accuracy'), say('reward'), say('head.length'), say('card.unjudged')],
      sources)),
  ].filter(Boolean));
}

const folding = (key, content, open = true) => make('details', { open }, make('summary', {}, say(key)), content);

/** Go to the list with a filter. */
function showRows(changes) {
  Object.assign(state, START, changes);
  startSearch();
  drawRowsSection();
  byId('rows').scrollIntoView({ block: 'start' });
}
