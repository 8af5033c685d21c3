// What changed since another scoring of the same rows, or prompts: each run against the first.
function drawCompared() {
  byId('compared').hidden = !about.compared.length;
  byId('compared').replaceChildren(make('h2', {}, say('compared.title')), ...about.compared.map((each) => comparison(each)));
}

function comparison(found) {
  const byRow = found.compared_by === 'row';
  const range = (each) => (each.low == null ? '' : ` [${signed(each.low)}, ${signed(each.high)}]`);
  const change = (each) => [
    shown(each.before), shown(each.after), each.pairs ? signed(each.difference) + range(each) : '–', shown(each.p, 2),
  ];
  const parts = Object.entries(found.parts).map(([name, each]) => [
    name, ...change(each), `${whole(each.rose)} / ${whole(each.fell)}`, whole(each.left_out),
  ]);
  const sources = found.sources.map((each) => {
    const part = each.outcome ?? each.reward ?? {};
    return [each.source, ...change(part), `${whole(part.wrong_to_right ?? 0)} / ${whole(part.right_to_wrong ?? 0)}`];
  });
  const verdict = (states, reasons, side) => `${say(`compared.${states[side]}`)}: ${reasons[side]}`;
  const changes = Object.entries(found.parts).flatMap(([name, each]) => (each.changes ?? []).map((one) => [
    name, verdict(one.states, one.reasons, 0), verdict(one.states, one.reasons, 1), whole(one.rows),
  ])).slice(0, 200);
  const flips = found.flipped.map((each) => [
    ...each.flip.split('_to_').map((state, side) => verdict([state, state], each.reasons, side)), placeOf(each.first), placeOf(each.second),
  ]);
  const heads = ['compared.before', 'compared.after', 'compared.change', 'compared.p'].map((each) => say(each));
  return make('div', {}, [
    found.run && make('h3', {}, `${found.first} → ${found.second}`),
    make('p', { class: 'quiet' }, say(byRow ? 'compared.rows' : 'compared.prompts', found.first, whole(byRow ? found.pairs : found.parts.reward?.prompts ?? 0))),
    table([say('axis.part'), ...heads, say('compared.rose'), say('compared.left')], parts),
    flips.length > 0 && folding('compared.flipped', table([say('compared.before'), say('compared.after'), say('compared.first'), say('compared.second')], flips), flips.length <= 12),
    sources.length > 0 && folding('table.sources', table([say('head.source'), ...heads, say('compared.righted')], sources)),
    changes.length > 0 && folding('compared.changes', table([say('axis.part'), say('compared.before'), say('compared.after'), say('axis.count')], changes)),
    make('ul', { class: 'notes' }, comparedNotes(found).map((each) => make('li', {}, each))),
  ].filter(Boolean));
}

const signed = (value) => (value > 0 ? '+' : '') + shown(value, 3);

function comparedNotes(found) {
  return [
    say('compared.interval'),
    ...found.only.map((count, side) => count > 0 && say('compared.only', whole(count), [found.first, found.second][side])),
    found.other_completions > 0 && say('compared.other', whole(found.other_completions)),
    found.other_references > 0 && say('compared.references', whole(found.other_references)),
  ].filter(Boolean);
}

/** A place in this report's files, which opens its row. */
function placeOf(place) {
  const [, file, line] = place.match(/^(.*):(\d+)$/s);
  const number = about.files.indexOf(file);
  const row = columns.lines.findIndex((each, at) => each === Number(line) && columns.files[at] === number);
  if (row < 0) return place;
  return make('button', { type: 'button', class: 'link', on: { click: () => goTo(row) } }, place);
}
