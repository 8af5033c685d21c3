// Charts are drawn when they come into view. Vega's interpreter reads their expressions: nothing is evaluated.
let views = [];
let observer = null;

/** A specification in the page's language. */
function localised(value) {
  if (typeof value === 'string') return value.startsWith('t:') ? say(value.slice(2)) : visible(value);
  if (Array.isArray(value)) return value.map(localised);
  if (value && typeof value === 'object') return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, localised(each)]));
  return value;
}

function look() {
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(name).trim();
  const axis = { labelColor: colour('--text'), titleColor: colour('--quiet'), gridColor: colour('--line'), domainColor: colour('--quiet'), tickColor: colour('--quiet'), titleFontWeight: 'normal' };
  return {
    background: 'transparent',
    font: 'system-ui, sans-serif',
    axis,
    legend: { labelColor: colour('--text'), titleColor: colour('--quiet'), orient: 'bottom', columns: 3, labelLimit: 160, symbolOpacity: 1 },
    view: { stroke: null },
    bar: { color: colour('--accent') },
    line: { color: colour('--accent') },
    area: { color: colour('--accent') },
    point: { color: colour('--accent') },
    rect: { color: colour('--accent') },
    rule: { color: colour('--accent') },
    range: { category: [themeName === 'dark' ? '#4aa8e8' : '#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#999933', '#882255'] },
  };
}

async function drawChart(box, { name, spec }) {
  const found = localised(spec);
  const whole = { height: 220, ...found, width: 'container', autosize: { type: 'fit', contains: 'padding' }, description: say(`chart.${name}`) };
  const made = await window.vegaEmbed(box, whole, {
    ast: true, actions: false, renderer: 'svg', config: look(), tooltip: { theme: themeName === 'dark' ? 'dark' : 'light' },
  });
  views.push(made);
}

const drawsCharts = () => about.charts.length > 0 && window.vegaEmbed !== undefined;

function drawCharts() {
  byId('charts').hidden = !drawsCharts();
  if (!drawsCharts()) return;
  views.forEach((each) => each.finalize());
  views = [];
  observer?.disconnect();
  const waiting = new Map();
  observer = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting || !waiting.has(target)) continue;
      drawChart(target, waiting.get(target));
      waiting.delete(target);
    }
  }, { rootMargin: '300px' });
  const boxes = about.charts.map((chart) => {
    const box = make('div', { class: 'drawing', id: `chart-${chart.name}` });
    waiting.set(box, chart);
    observer.observe(box);
    return make('figure', {}, make('figcaption', {}, make('b', {}, say(`chart.${chart.name}`)), make('span', { class: 'quiet' }, note(chart.name))), box);
  });
  byId('charts').replaceChildren(make('h2', {}, say('charts.title')), make('div', { class: 'grid' }, boxes));
}

function note(name) {
  const key = `chart.${name}.note`;
  return Object.hasOwn(words, key) ? ` ${say(key)}` : '';
}
