// Small things that all parts use: elements without markup, words in two languages, numbers.
const byId = (id) => document.getElementById(id);

/** An element; texts become text nodes, never markup, in which nothing is hidden. */
function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'on') for (const [event, run] of Object.entries(value)) made.addEventListener(event, run);
    else if (name === 'class') made.className = value;
    else if (value === true) made.setAttribute(name, '');
    else if (value !== false && value != null) made.setAttribute(name, value);
  }
  for (const child of children.flat(Infinity)) {
    if (child instanceof Node) made.append(child);
    else if (child != null && child !== false) appendText(made, String(child));
  }
  return made;
}

/** What base64 stands for; older browsers have no function of their own for it. */
function decoded(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const packed = atob(text);
  const bytes = new Uint8Array(packed.length);
  for (let place = 0; place < packed.length; place++) bytes[place] = packed.charCodeAt(place);
  return bytes;
}

/** The bytes of a data element; what is not in the page is asked for where it is served. */
async function unpacked(id) {
  const packed = byId(id)?.textContent ?? (await (await fetch(`data/${id}`)).text());
  const stream = new Blob([decoded(packed)]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).arrayBuffer();
}

const unpackedJson = async (id) => JSON.parse(new TextDecoder().decode(await unpacked(id)));

let words = {};
let language = 'en';

/** A text in the page's language; {0}, {1} ... are filled in. What is no key comes back as it is. */
function say(key, ...values) {
  const found = Object.hasOwn(words, key) ? words[key][language] ?? words[key].en : key;
  return found.replace(/\{(\d)\}/g, (_, place) => values[place] ?? '');
}

const whole = (value) => value.toLocaleString('en-US');

/** A number as a person reads it: whole, or with three places; with so many digits where these are named. */
function shown(value, digits = 0) {
  if (value == null || Number.isNaN(value)) return '–';
  if (digits) return String(Number(value.toPrecision(digits)));
  if (Number.isInteger(value)) return String(value);
  return Math.abs(value) >= 0.0005 ? value.toFixed(3) : value.toExponential(1);
}

const percent = (value) => (value == null || Number.isNaN(value) ? '–' : `${(100 * value).toFixed(1)}\u00a0%`);

/** A mean with its interval. */
function interval(found, as = shown) {
  if (!found || found.mean == null) return '–';
  return found.low == null ? as(found.mean) : `${as(found.mean)} [${as(found.low)}, ${as(found.high)}]`;
}

/** Runs once after calls have stopped for a while. */
function later(run, wait) {
  let timer = 0;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => run(...values), wait);
  };
}
