// Texts of rows: in blocks that are unpacked when they are needed, of which the last ones are kept.
const KEPT_BLOCKS = 64;
const blocks = new Map();
let numbers = null; // for each row the number of its texts, or -1
let textPlaces = null; // for each text its row

function readPlaces() {
  const steps = about.texts.places;
  numbers = new Int32Array(about.size).fill(-1);
  textPlaces = new Uint32Array(steps.length);
  let place = -1;
  steps.forEach((step, number) => {
    place += step;
    numbers[place] = number;
    textPlaces[number] = place;
  });
}

/** Whether a block is at hand: a page that is served can ask for it. */
const hasBlock = (number) => isServed() || byId(`texts-${number}`) !== null;
const hasText = (row) => numbers[row] >= 0 && hasBlock(blockNumber(numbers[row]));

function block(number) {
  const found = blocks.get(number);
  if (found) {
    blocks.delete(number);
    blocks.set(number, found);
    return found;
  }
  const reading = unpackedJson(`texts-${number}`);
  blocks.set(number, reading);
  if (blocks.size > KEPT_BLOCKS) blocks.delete(blocks.keys().next().value);
  return reading;
}

function blockNumber(text) {
  const { starts } = about.texts;
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle] <= text) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The texts of a row; null where the page does not have them. */
async function textOf(row) {
  const text = numbers[row];
  if (!hasText(row)) return null;
  const number = blockNumber(text);
  const found = await block(number);
  const own = found.rows[text - about.texts.starts[number]];
  return { ...own, p: own.p === undefined ? '' : found.prompts[own.p] };
}

const plain = (text) => text.normalize('NFC').toLowerCase();

function holds(own, prompt, wanted) {
  const told = (verdict) =>
    [verdict.extracted, verdict.expected, verdict.detail].some((each) => each && plain(each).includes(wanted)) ||
    (verdict.parts ?? []).some(told);
  return (
    plain(own.c).includes(wanted) ||
    prompt ||
    (own.t && plain(own.t).includes(wanted)) ||
    own.v.some(([, verdict]) => told(verdict)) ||
    Object.values(own.x ?? {}).some((each) => plain(each).includes(wanted))
  );
}

let searching = 0;

/** Mark the rows whose texts hold a text; tells after each few blocks how far it has come. */
async function search(text, hits, tell, from = 0) {
  const mine = ++searching;
  const wanted = plain(text);
  const { starts } = about.texts;
  for (let number = from; number < starts.length; number++) {
    // What is only searched need not push out what is shown.
    const found = hasBlock(number) ? await (blocks.get(number) ?? unpackedJson(`texts-${number}`)) : { prompts: [], rows: [] };
    if (mine !== searching) return;
    const prompts = found.prompts.map((each) => plain(each).includes(wanted));
    found.rows.forEach((own, index) => {
      if (holds(own, own.p !== undefined && prompts[own.p], wanted)) hits[textPlaces[starts[number] + index]] = 1;
    });
    tell(number + 1, starts.length);
  }
}

const stopSearch = () => void searching++;
