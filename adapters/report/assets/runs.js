// Several runs: which rows belong together, and their completions side by side.
let counterparts = null;

/** The rows of other runs that belong to a row, in the order of their runs. */
function counterpartsOf(row) {
  if (!about.runs.length) return [];
  if (counterparts === null) {
    counterparts = new Map();
    columns.pairs.forEach((pair, place) => {
      if (!counterparts.has(pair)) counterparts.set(pair, []);
      counterparts.get(pair).push(place);
    });
  }
  return counterparts.get(columns.pairs[row]).filter((each) => columns.runs[each] !== columns.runs[row]);
}

/** Runs as a table: each with its figures, and how it differs from the first. */
function runsTable() {
  const rows = about.figures.runs.map((each, place) => {
    const found = about.compared.find((one) => one.run === each.run);
    const outcome = found?.parts[found.outcome] ?? found?.parts.reward;
    const best = mostPasses(each.pass_at_k, each.prompts);
    return [
      make('button', { type: 'button', class: 'link', on: { click: () => showRows({ run: String(place + 1) }) } }, each.run),
      whole(each.rows), interval(each.accuracy, percent), interval(each.reward),
      best && best.k > 1 ? `${interval(best, percent)} (k = ${best.k})` : '–',
      outcome?.pairs ? `${points(outcome.difference)}${outcome.low == null ? '' : ` [${points(outcome.low)}, ${points(outcome.high)}]`}` : '–',
      outcome?.pairs ? shown(outcome.p, 2) : '–',
      outcome ? `${whole(outcome.rose)} / ${whole(outcome.fell)}` : '–',
      whole(each.unscored), shown(each.length),
    ];
  });
  return table(['run', 'rows', 'accuracy', 'reward', 'pass', 'change', 'p', 'rose', 'unscored', 'length'].map((each) => say(`runs.${each}`)), rows);
}

/** pass@k of the largest k that most prompts have; a single larger group says nothing of the run. */
const mostPasses = (passes, prompts) => passes.filter((each) => 2 * each.prompts > prompts).at(-1);

const points = (value) => `${value > 0 ? '+' : ''}${(100 * value).toFixed(1)}`;

/** The same row in other runs: completions beside one another, and what judged them. */
async function besides(row, own, box) {
  const others = counterpartsOf(row);
  if (!others.length) return;
  const all = [row, ...others].sort((a, b) => columns.runs[a] - columns.runs[b]);
  const texts = new Map(await Promise.all(all.map(async (each) => [each, each === row ? own : await textOf(each)])));
  const part = outcomePart();
  box.replaceChildren(
    make('h4', {}, say('runs.beside')),
    make('div', { class: 'beside' }, all.map((each) => {
      const value = part < 0 ? columns.reward[each] : columns[`value.${part}`][each];
      const text = texts.get(each);
      return make(
        'section',
        { class: each === row ? 'open' : '', 'aria-label': about.runs[columns.runs[each]] },
        make('p', {}, make('b', {}, about.runs[columns.runs[each]]), ' ', make('b', { class: tone(value) }, shown(value)), ' ',
          make('code', {}, reasonOf(each, twin(part))), ' ',
          each === row ? '' : make('button', { type: 'button', class: 'link', on: { click: () => openRow(each) } }, say('runs.open'))),
        text ? highlighted(text.c, evidence(text.v)) : make('p', {}, say('no.text')),
      );
    })),
  );
}
