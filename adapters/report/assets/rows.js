// The numbers of all rows, as typed arrays by name.
let about = null;
const columns = {};

const KINDS = { d: Float64Array, I: Uint32Array, H: Uint16Array, B: Uint8Array };

async function readRows() {
  about = await unpackedJson('about');
  const bytes = await unpacked('columns');
  let start = 0;
  for (const { name, type } of about.columns) {
    columns[name] = new KINDS[type](bytes, start, about.size);
    start += about.size * KINDS[type].BYTES_PER_ELEMENT;
  }
}

/** The number of the part that says what is right; -1 where there is none. */
const outcomePart = () => about.parts.indexOf(about.figures.outcome);

/** The reason of a part of a row, or an empty text. */
const reasonOf = (row, part) => (part < 0 ? '' : about.reasons[columns[`reason.${part}`][row]]);

let members = null;

/** The rows of the same group, in order. */
function groupOf(row) {
  if (members === null) {
    members = new Map();
    columns.groups.forEach((group, place) => {
      if (!members.has(group)) members.set(group, []);
      members.get(group).push(place);
    });
  }
  return members.get(columns.groups[row]);
}
