// The page of a report, which is the JSON text in the element #report.
const report = data;
// ---- Totals and arenas ----

// Sizes that are known only when the program runs: [name, value] of each.
const describeValues = (values) => values.map(([name, value]) => `${name} = ${grouped(value)}`).join(' and ');
// A long formula is only in the section on sizes.
const brief = (formula) => formula && formula.length <= 40 ? formula : '';
const withFormula = (formula, list) => formula && formula.length <= 80 ? `${formula}: ${list}` : list;

const showTotals = () => {
  const totals = report.totals;
  const group = (key, name, value, note) => addTotal(key, name, value.bytes, note, sized(value.bytes, value.unknown, value.formula));
  // The bytes of an arena, or all, that depend on sizes: the formula, and the number at each.
  const {sizes} = totals;
  const atSizes = (formula, key) => [formula, sizes.at.filter((at) => at[key] !== undefined)
    .map((at) => `${grouped(at[key])} at ${describeValues(Object.entries(at.values))}`).join(', ')];
  if (report.functions.length) {
    const {ram, rom} = totals;
    const [formula, list] = sizes ? atSizes(sizes.ram, 'ram_bytes') : ['', ''];
    $('note').textContent = `RAM ${list ? withFormula(formula, list) : sized(ram.bytes, ram.unknown, ram.formula)}, ROM ${sized(rom.bytes, rom.unknown)}, in bytes`;
    if (list) addTotal('ram', 'RAM', ram.bytes, list, brief(formula));
    else group('ram', 'RAM', ram, 'arenas, buffers that are not planned, variables');
    group('rom', 'ROM', rom, plural(rom.count, 'constant'));
  }
  const arenas = totals.arenas ? `${short(totals.arena_bytes)} in ${plural(totals.arenas, 'arena')}` :
    totals.without_plan ? 'there is no plan' : 'there is no arena';
  const [formula, list] = sizes ? atSizes(sizes.arena, 'arena_bytes') : ['', ''];
  const first = sizes ? `, at ${describeValues(Object.entries(sizes.at[0].values))}` : '';
  addTotal('arena_bytes', 'arena bytes', totals.arena_bytes, list || arenas, list ? brief(formula) : totals.arenas || !totals.without_plan ? '' : '–');
  if (totals.from_callers.count) group('from_callers', 'provided by callers', totals.from_callers, `${plural(totals.from_callers.count, 'arena')} of them`);
  if (totals.without_plan) addTotal('without_plan', 'without a plan', totals.without_plan, 'in no other number', plural(totals.without_plan, 'arena'));
  addTotal('bound_bytes', 'lower bound', totals.bound_bytes, `no plan needs less${first}`);
  addTotal('sum_bytes', 'without reuse', totals.sum_bytes, short(totals.sum_bytes) + first);
  addTotal('saved_bytes', 'saved', totals.saved_bytes, percent(totals.saved_bytes, totals.sum_bytes) + first);
  for (const [key, name] of [['unplanned', 'not planned'], ['planned_before', 'planned before'],
      ['arguments', 'arguments'], ['results', 'results'], ['variables', 'variables']])
    if (totals[key].count > 0 || key === 'unplanned') group(key, name, totals[key], `${grouped(totals[key].count)} in number`);
};

// An arena of a program has the name of a function, which gets an @; the arena of
// a problem file has the name of the file.
const isProgram = report.functions.length > 0 || report.arenas.some((a) => a.buffers.some((b) => b.type));
const nameOfArena = (arena) => (isProgram ? '@' : '') + arena.function +
  (arena.workers ? `, each of ${arena.workers} workers of ${arena.loop}` : arena.loop ? `, each iteration of ${arena.loop}` : '') +
  (arena.memory_space !== '0' ? `, memory space ${arena.memory_space}` : '');
const places = {stack: 'on the stack', global: 'in a global variable', argument: 'provided by the caller', workgroup: 'of each workgroup'};
const noteOfArena = (arena) => arena.placement ? ` (${places[arena.placement]})` : arena.is_frame ? ' (part of its callers\u2019)' : '';

// What passes did to functions so that their plans need less.
const showChanges = () => {
  const changes = report.changes || [];
  const nameOf = (change) => `@${change.function}${(change.memory_space || '0') !== '0' ? `, memory space ${change.memory_space}` : ''}`;
  fill('changes', changes, (change) => rowOf([
    [nameOf(change)], [change.change], [grouped(change.bytes), 'n'], [grouped(change.saved_bytes), 'n'], [grouped(change.repeats), 'n'],
    [grouped(change.extra_flops), 'n'], [percent(change.extra_flops, change.flops), 'n']]));
  fill('stripes', changes.flatMap((change) => (change.stripes || []).map((stripe) => [change, stripe])), ([change, stripe]) => rowOf([
    [nameOf(change)], [grouped(stripe.rows), 'n'], [grouped(stripe.count), 'n'], [grouped(stripe.halo), 'n'], [grouped(stripe.kept || 0), 'n'], [grouped(stripe.extra_flops), 'n'],
    [stripe.ops.map((op) => op.op).join(', '), 'text'], [stripe.ops[stripe.ops.length - 1].location, 'long']]));
};

// ---- The chosen arena ----

let arena, slots, observed, buffers, bufferOf, rects, shared, time, selected = -1, curve, arenaTop, curveTop;

// The name of a buffer for people: the name in its location, or of its value.
const nameOfBuffer = (buffer) => !buffer ? '' : buffer.label || buffer.value || '';
const titleOfSlot = (slot) => nameOfBuffer(bufferOf.get(slot.name)) || slot.name;
const isLiveAt = (slot, point) => slot.live.some(([from, to]) => from <= point && point < to);

// The rectangles of bytes and time that two slots share: where an op writes one
// over the other, which it reads for the last time.
const findShared = () => {
  const index = new Map(slots.map((slot, i) => [slot.name, i]));
  const pairs = [...(arena.in_place || []).map((p) => [p.read, p.written]), ...(arena.overlaps || []).map((p) => [p.first, p.second])];
  const found = [], seen = new Set();
  for (const pair of pairs) {
    const [a, b] = pair.map((name) => slots[index.get(name)]), key = pair.join('\n');
    if (!a || !b || a.offset === null || b.offset === null || seen.has(key)) continue;
    seen.add(key);
    const low = Math.max(a.offset, b.offset), high = Math.min(a.offset + a.size, b.offset + b.size);
    if (low >= high) continue;
    for (let i = 0, j = 0; i < a.live.length && j < b.live.length;) {
      const from = Math.max(a.live[i][0], b.live[j][0]), to = Math.min(a.live[i][1], b.live[j][1]);
      if (from < to) found.push({from, to, low, high});
      if (a.live[i][1] < b.live[j][1]) ++i; else ++j;
    }
  }
  return found;
};

const chooseArena = (index) => {
  arena = report.arenas[index];
  slots = arena.slots;
  // Lives that a running program had (memplan-graph compare-trace).
  observed = (report.observed || []).filter(([of]) => of === index).map(([, low, bytes, from, to]) => ({low, high: low + bytes, from, to}));
  buffers = arena.buffers;
  bufferOf = new Map(buffers.map((b) => [b.name, b]));
  // One rectangle for each live range, in the order of the slots.
  rects = [];
  time = {begin: Infinity, end: -Infinity};
  slots.forEach((slot, i) => slot.live.forEach(([from, to]) => {
    rects.push({slot: i, from, to, low: slot.offset, high: slot.offset === null ? null : slot.offset + slot.size});
    time.begin = Math.min(time.begin, from);
    time.end = Math.max(time.end, to);
  }));
  if (rects.length === 0) time = {begin: 0, end: 1};
  shared = findShared();
  // Steps of [point, live bytes, bytes in use]: shared bytes are used once.
  const changes = new Map();
  const change = (from, to, live, used) => {
    for (const [point, sign] of [[from, 1], [to, -1]]) {
      const entry = changes.get(point) || [0, 0];
      changes.set(point, [entry[0] + sign * live, entry[1] + sign * used]);
    }
  };
  for (const rect of rects) change(rect.from, rect.to, slots[rect.slot].size, slots[rect.slot].size);
  for (const part of shared) change(part.from, part.to, 0, part.low - part.high);
  let live = 0, used = 0;
  curve = [...changes.keys()].sort((a, b) => a - b).map((point) => {
    live += changes.get(point)[0];
    used += changes.get(point)[1];
    return [point, live, Math.max(used, 0)];
  });
  arenaTop = Math.max(arena.arena_bytes || 0, arena.bound_bytes, 1);
  if (arena.capacity !== undefined && arena.capacity <= 2 * arenaTop) arenaTop = Math.max(arenaTop, arena.capacity);
  curveTop = Math.max(arenaTop, arena.peak.bytes) * 1.02;
  view = all();
  selected = -1;
  showText();
  showArenaLegend();
  showSizes();
  showStrategies();
  showInPlace();
  showUnplanned();
  filter();
  draw();
  showDetails();
};

const all = () => ({begin: time.begin, end: time.end, low: 0, high: arenaTop * 1.02});

const valuesAt = (at) => describeValues(arena.sizes.symbols.map((symbol, i) => [symbol.name, at.values[i]]));
// The hints, then the greatest sizes, each once.
const listSizes = () => {
  const {hints = [], at_bounds: greatest} = arena.sizes || {};
  return greatest ? [...hints.filter((at) => at.values.join() !== greatest.values.join()), greatest] : hints;
};
const bytesOfArena = () => arena.sizes ?
  withFormula(arena.sizes.arena, listSizes().map((at) => `${grouped(at.arena_bytes)} bytes at ${valuesAt(at)}`).join(', ')) :
  `${grouped(arena.arena_bytes)} bytes`;

const showText = () => {
  $('name').textContent = nameOfArena(arena);
  if (arena.status === 'planned-before') {
    $('summary').textContent = `planned before: ${grouped(arena.arena_bytes)} bytes`;
    $('facts').textContent = '';
    return;
  }
  const where = arena.placement ? `, ${places[arena.placement]}` : '';
  $('summary').textContent = arena.arena_bytes === null ? `There is no plan: ${arena.status}; at least ${grouped(arena.bound_bytes)} bytes are needed.` :
    `${bytesOfArena()}${where}, ${arena.status}; ${grouped(arena.sum_bytes)} without reuse` +
    (arena.sum_bytes > arena.arena_bytes ? `, ${percent(arena.saved_bytes, arena.sum_bytes)} saved` : '') +
    (arena.buffers_unplanned ? `; ${plural(arena.buffers_unplanned, 'buffer')} not planned` : '');
  const winner = arena.winner && arena.winner !== arena.strategy ? ` (${arena.winner})` : '';
  $('facts').textContent = `${plural(arena.buffers_planned, 'buffer')}${arena.arena_bytes === null ? ' to plan' : ''} in ${plural(slots.length, 'slot')}, by ${arena.strategy}${winner}; alignment ${arena.alignment}` +
    (arena.message ? `; ${arena.message}` : '') +
    (slots.length ? `. At the peak, point ${grouped(arena.peak.point)}${arena.peak.location ? `, ${arena.peak.location}` : ''}, ${grouped(arena.peak.bytes)} bytes are live` : '') +
    (arena.arena_bytes !== null && arena.peak.bytes > arena.arena_bytes ? ', which share bytes where ops write in place' : '') + '.';
};

const showArenaLegend = () => {
  const entries = [[{kind: 'area', colour: colourOf(1)}, 'a slot while it is live']];
  if (observed.length) entries.push([{kind: 'line', colour: '--mark', dashed: true}, 'a life that was observed']);
  if (shared.length) entries.push([{kind: 'area', style: 'hatch'}, 'written over what is read for the last time']);
  const level = (name, bytes) => entries.push([{kind: 'line', colour: `--${name}`, dashed: name !== 'arena'}, `${name} ${grouped(bytes)}`, {'data-level': name, 'data-value': bytes}]);
  if (arena.arena_bytes !== null) level('arena', arena.arena_bytes);
  level('bound', arena.bound_bytes);
  if (arena.capacity !== undefined) level('capacity', arena.capacity);
  if (slots.length) entries.push([{kind: 'line', colour: '--mark', dashed: true}, `peak ${grouped(arena.peak.bytes)}`, {'data-level': 'peak', 'data-value': arena.peak.bytes}]);
  showLegend(entries);
};

// A row for each hint, and one for the greatest sizes.
const showSizes = () => {
  const hasPlan = arena.arena_bytes !== null;
  const sizes = arena.sizes || {};
  $('formulas').textContent = [['arena', sizes.arena], ['bound', sizes.bound]].filter((pair) => pair[1]).map((pair) => pair.join(' is ')).join('; ');
  fill('sizes', listSizes(), (at) => rowOf([
    [valuesAt(at) + (at === sizes.at_bounds ? ' (greatest)' : '')],
    [grouped(at.bound_bytes), 'n'], [hasPlan ? grouped(at.arena_bytes) : '', 'n'], [hasPlan ? at.ratio_to_bound.toFixed(4) : '', 'n'], [grouped(at.sum_bytes), 'n'],
    [hasPlan ? percent(at.sum_bytes - at.arena_bytes, at.sum_bytes) : '', 'n'], [at.bounded_bytes === undefined ? '' : grouped(at.bounded_bytes), 'n']]));
};

const showStrategies = () => {
  const strategies = arena.strategies || [];
  const most = Math.max(1, ...strategies.map((s) => s.arena_bytes));
  fill('strategies', strategies, (strategy) => {
    const row = rowOf([[strategy.name + (strategy.name === arena.winner ? ' (taken)' : '')], [grouped(strategy.arena_bytes), 'n'],
      [arena.bound_bytes ? (strategy.arena_bytes / arena.bound_bytes).toFixed(4) : '', 'n'], ['', 'bars']]);
    row.lastChild.append(make('span', undefined, {class: 'bar', style: `width: ${100 * strategy.arena_bytes / most}%`}));
    return row;
  });
};

const fullName = (name) => [name, nameOfBuffer(bufferOf.get(name))].filter(Boolean).join(' ');

const showInPlace = () => {
  const pairs = arena.in_place || [];
  $('inplace-count').textContent = grouped(pairs.length);
  fill('inplace', pairs, (pair) => rowOf([[fullName(pair.written)], [fullName(pair.read)], [pair.op], [pair.location, 'long'], [pair.proof, 'text']]));
};

const showUnplanned = () => fill('unplanned', buffers.filter((b) => !b.planned), (b) => rowOf(
  [[b.name], [nameOfBuffer(b), 'long'], [b.size === null ? b.formula || 'unknown' : grouped(b.size), 'n'], [b.type || '', 'long'], [b.location || '', 'long'],
    [b.reason + (b.remedy ? `; ${b.remedy}` : ''), 'text'], [b.reason_location || '', 'long']], {'data-name': b.name}));

// ---- The table: only the rows that can be seen are in the page ----

const kRowHeight = 24, kAround = 20;
const columns = [
  ['name', 'buffer', (b) => b.name, ''],
  ['label', 'name', nameOfBuffer, 'long'],
  ['op', 'made by', (b) => b.op || '', 'long'],
  ['size', 'bytes', (b) => b.size, 'n'],
  ['offset', 'offset', (b) => b.offset === undefined ? null : b.offset, 'n'],
  ['slots', 'slots', (b) => (b.slots || []).join(' '), 'long'],
  ['live', 'live', (b) => b.live ? b.live[0] ? b.live[0][0] : -1 : null, 'long'],
  ['type', 'type', (b) => b.type || '', 'long'],
  ['location', 'source line', (b) => b.location || '', 'long'],
];
// `cursor` is the row that keys have come to, a place in `order`.
let order = [], cursor = -1, sortBy = -1, sortDown = false, printing = false;

const cellText = (buffer, key, value) => {
  if (key === 'live') return buffer.planned ? ranges(buffer.live) : 'not planned';
  if (value === null) return key === 'size' ? 'unknown' : '';
  return typeof value === 'number' ? grouped(value) : value;
};

const makeHead = () => {
  const head = $('rows').tHead.rows[0];
  columns.forEach(([, title, , style], index) => {
    const cell = make('th', undefined, {class: style === 'n' ? 'n' : '', scope: 'col'});
    const button = make('button', title, {type: 'button'});
    button.onclick = () => {
      sortDown = sortBy === index && !sortDown;
      sortBy = index;
      filter();
    };
    cell.append(button);
    head.append(cell);
  });
};

const filter = () => {
  const words = $('search').value.toLowerCase().split(/\s+/).filter(Boolean);
  const text = (b) => [b.name, b.label, b.value, b.op, b.type, b.location, b.reason, b.planned ? 'planned' : 'not planned'].join(' ').toLowerCase();
  order = buffers.map((b, i) => i);
  if (words.length) order = order.filter((i) => { const t = text(buffers[i]); return words.every((w) => t.includes(w)); });
  if (sortBy >= 0) {
    const get = columns[sortBy][2];
    const keys = buffers.map(get);
    const compare = (a, b) => {
      if (a === null || b === null) return (a === null) - (b === null);
      return typeof a === 'number' ? a - b : String(a).localeCompare(String(b), 'en', {numeric: true});
    };
    order.sort((a, b) => (sortDown ? compare(keys[b], keys[a]) : compare(keys[a], keys[b])) || a - b);
  }
  [...$('rows').tHead.rows[0].cells].forEach((cell, i) =>
    cell.setAttribute('aria-sort', i !== sortBy ? 'none' : sortDown ? 'descending' : 'ascending'));
  $('count').textContent = order.length === buffers.length ? `${grouped(buffers.length)}` : `${grouped(order.length)} of ${grouped(buffers.length)}`;
  $('rows').setAttribute('aria-rowcount', order.length);
  cursor = -1;
  $('rows-scroll').scrollTop = 0;
  showRows();
};

const makeRow = (place) => {
  const buffer = buffers[order[place]];
  const row = rowOf(columns.map(([key, , get, style]) => [cellText(buffer, key, get(buffer)), style]),
    {'data-name': buffer.name, 'aria-rowindex': place + 1, tabindex: -1});
  columns.forEach(([key], index) => { row.cells[index].dataset.key = key; });
  const isOn = selected >= 0 && buffer.planned && buffer.slots.includes(slots[selected].name);
  row.classList.toggle('on', isOn || place === cursor);
  row.onclick = () => goTo(place);
  return row;
};

const goTo = (place) => {
  if (place < 0 || place >= order.length) return;
  cursor = place;
  const buffer = buffers[order[place]], scroll = $('rows-scroll');
  // The row must be below the head of the table, which does not scroll.
  const top = place * kRowHeight, seen = scroll.clientHeight - 2 * kRowHeight;
  scroll.scrollTop = Math.min(Math.max(scroll.scrollTop, top - seen), top);
  select(buffer.planned ? slots.findIndex((s) => s.name === buffer.slots[0]) : -1, false);
};

const spacer = (rows) => {
  const row = make('tr', undefined, {'aria-hidden': 'true', class: 'space'});
  row.append(make('td', undefined, {colspan: columns.length, style: `height: ${rows * kRowHeight}px; padding: 0; border: 0`}));
  return row;
};

const showRows = () => {
  const scroll = $('rows-scroll');
  const most = printing ? 2000 : Math.ceil((scroll.clientHeight || 400) / kRowHeight) + 2 * kAround;
  const first = printing ? 0 : Math.max(0, Math.floor(scroll.scrollTop / kRowHeight) - kAround);
  const last = Math.min(order.length, first + most);
  const rows = [];
  if (first > 0) rows.push(spacer(first));
  for (let i = first; i < last; ++i) rows.push(makeRow(i));
  if (last < order.length && !printing) rows.push(spacer(order.length - last));
  if (last < order.length && printing) {
    const row = make('tr');
    row.append(make('td', `and ${order.length - last} more`, {colspan: columns.length}));
    rows.push(row);
  }
  $('rows').tBodies[0].replaceChildren(...rows);
};

// ---- The plots ----

const getLevels = () => {
  const lines = [['--arena', arena.arena_bytes, []], ['--bound', arena.bound_bytes, [5, 4]]];
  if (arena.capacity !== undefined) lines.push(['--capacity', arena.capacity, [9, 4]]);
  return lines;
};

const drawMap = () => {
  const plot = begin($('map'));
  const scale = scales(plot.width, plot.height, view.low, view.high);
  axes(plot, scale, view.low, view.high, {x: 'time (program points)', y: 'address'});
  const back = style('--back'), text = style('--text');
  const isSeen = (rect) => rect.low !== null && rect.to >= view.begin && rect.from <= view.end && rect.high >= view.low && rect.low <= view.high;
  const boxOf = (rect) => {
    const x = scale.x(rect.from), y = scale.y(rect.high);
    return [x, y, Math.max(scale.x(rect.to) - x, .7), Math.max(scale.y(rect.low) - y, .7)];
  };
  inside(plot, (context) => {
    context.lineWidth = .5;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    const colours = slots.map((slot, i) => colourOf(i));
    for (const rect of rects) {
      if (!isSeen(rect)) continue;
      const [x, y, w, h] = boxOf(rect);
      context.globalAlpha = .8;
      context.fillStyle = colours[rect.slot];
      context.fillRect(x, y, w, h);
      context.globalAlpha = 1;
      if (w > 3 && h > 3) {
        context.strokeStyle = back;
        context.strokeRect(x, y, w, h);
      }
    }
    context.lineWidth = 1;
    for (const part of shared)
      if (isSeen(part)) hatch(context, ...boxOf(part), text);
    context.fillStyle = text;
    for (const rect of rects) {
      if (!isSeen(rect)) continue;
      const [x, y, w, h] = boxOf(rect);
      if (h < 14 || w < 24) continue;
      const name = [titleOfSlot(slots[rect.slot]), slots[rect.slot].name].find((n) => context.measureText(n).width < w - 6);
      if (name) context.fillText(name, x + w / 2, y + h / 2);
    }
    context.strokeStyle = style('--mark');
    context.lineWidth = 2;
    context.setLineDash([5, 3]);
    for (const life of observed)
      if (isSeen(life)) context.strokeRect(...boxOf(life));
    context.setLineDash([]);
    context.strokeStyle = text;
    for (const rect of rects)
      if (rect.slot === selected && rect.low !== null) context.strokeRect(...boxOf(rect));
  });
  levels(plot, scale, view.low, view.high, getLevels());
  if (slots.length) markTime(plot, scale, arena.peak.point, '--mark', [3, 3], 'peak');
};

const drawCurve = () => {
  const plot = begin($('curve'));
  const scale = scales(plot.width, plot.height, 0, curveTop);
  axes(plot, scale, 0, curveTop, {x: '', y: 'bytes in use'});
  const trace = (context, column) => {
    context.beginPath();
    let height = scale.y(0);
    context.moveTo(scale.x(time.begin), height);
    for (const step of curve) {
      context.lineTo(scale.x(step[0]), height);
      context.lineTo(scale.x(step[0]), height = scale.y(step[column]));
    }
    context.lineTo(scale.x(time.end), scale.y(0));
  };
  inside(plot, (context) => {
    context.fillStyle = context.strokeStyle = style('--mark');
    context.globalAlpha = .35;
    trace(context, 2);
    context.fill();
    context.globalAlpha = .8;
    context.lineWidth = 1;
    // Live buffers, which may share bytes.
    if (shared.length) { trace(context, 1); context.stroke(); }
  });
  levels(plot, scale, 0, curveTop, getLevels());
  if (slots.length) markTime(plot, scale, arena.peak.point, '--mark', [3, 3], `peak ${short(arena.peak.bytes)}${shared.length ? ' live' : ''}`);
};

const redraw = () => { drawMap(); drawCurve(); };
const setPrinting = (isPrinting) => { printing = isPrinting; if (arena) showRows(); };

// ---- Selection ----

const describe = (slot) => {
  const lines = [];
  const place = slot.offset === null ? 'no place' : `bytes [${grouped(slot.offset)}, ${grouped(slot.offset + slot.size)})`;
  lines.push(`slot ${slot.name}: ${grouped(slot.size)} bytes at ${place}, alignment ${slot.alignment}, live ${ranges(slot.live)}`);
  const uses = slot.uses || [{buffer: slot.name, live: slot.live}];
  for (const use of uses.slice(0, 12)) {
    const buffer = bufferOf.get(use.buffer) || {};
    const made = buffer.op ? `made by ${buffer.op}${buffer.op_location ? `, ${buffer.op_location}` : ''}` : '';
    lines.push(`holds ${fullName(use.buffer)}` + (slot.uses ? ` ${ranges(use.live)}` : '') +
      [buffer.type, buffer.location, made].filter(Boolean).map((text) => `, ${text}`).join(''));
  }
  if (uses.length > 12) lines.push(`and ${uses.length - 12} more buffers`);
  return lines.join('\n');
};

const showDetails = () => {
  $('details').textContent = selected < 0 ? '' : describe(slots[selected]);
};

const select = (slot, scrolls = true) => {
  selected = slot;
  if (scrolls) cursor = -1;
  if (scrolls && slot >= 0) {
    const place = order.findIndex((i) => buffers[i].planned && buffers[i].slots.includes(slots[slot].name));
    if (place >= 0) $('rows-scroll').scrollTop = Math.max(0, (place - 4) * kRowHeight);
  }
  showRows();
  showDetails();
  draw();
};

const hit = (event) => {
  const canvas = $('map'), box = canvas.getBoundingClientRect();
  const scale = scales(canvas.clientWidth, canvas.clientHeight, view.low, view.high);
  const t = scale.t(event.clientX - box.left), a = scale.a(event.clientY - box.top);
  // A rectangle that is thinner than a pixel is hit within one pixel.
  const dt = (view.end - view.begin) / canvas.clientWidth, da = (view.high - view.low) / canvas.clientHeight;
  let found = -1;
  for (const rect of rects)
    if (rect.low !== null && rect.from - dt <= t && t < rect.to + dt && rect.low - da <= a && a < rect.high + da) {
      found = rect.slot;
      if (rect.from <= t && t < rect.to && rect.low <= a && a < rect.high) break;
    }
  return found;
};

const connect = () => {
  const step = (by) => () => slots.length && select((selected + by + slots.length + (selected < 0 && by < 0 ? 1 : 0)) % slots.length);
  connectMap({
    pan: ([fromTime, fromBytes], [toTime, toBytes]) => {
      [view.begin, view.end] = move(view.begin, view.end, fromTime - toTime, time.begin, time.end);
      [view.low, view.high] = move(view.low, view.high, fromBytes - toBytes, 0, all().high);
    },
    zoom: (factor, [t, a]) => {
      [view.begin, view.end] = lengthen(view.begin, view.end, factor, t, time.begin, time.end, Math.min(4, time.end - time.begin));
      [view.low, view.high] = lengthen(view.low, view.high, factor, a, 0, all().high, Math.min(64, all().high));
    },
    showAll: () => { view = all(); },
    tap: (event) => select(hit(event)),
    tipAt: (event) => { const slot = hit(event); return slot < 0 ? '' : describe(slots[slot]); },
    keys: {ArrowRight: step(1), ArrowDown: step(1), ArrowLeft: step(-1), ArrowUp: step(-1), Escape: () => select(-1)},
  });
  $('rows-scroll').onscroll = showRows;
  $('rows-scroll').onkeydown = (event) => {
    const places = {ArrowDown: cursor + 1, ArrowUp: cursor < 0 ? order.length - 1 : cursor - 1, Home: 0, End: order.length - 1};
    if (event.target !== $('rows-scroll') || places[event.key] === undefined) return;
    event.preventDefault();
    goTo(places[event.key]);
  };
  $('search').oninput = filter;
};

showTotals();
showChanges();
const choose = makeChooser('arenas', report.arenas, (arena) => [
  [nameOfArena(arena) + noteOfArena(arena)], [arena.memory_space], [arena.status], [grouped(arena.arena_bytes), 'n'], [grouped(arena.bound_bytes), 'n'],
  [arena.ratio_to_bound === null ? '–' : arena.ratio_to_bound.toFixed(4), 'n'], [grouped(arena.sum_bytes), 'n'], [sized(arena.unplanned_bytes, arena.unplanned_unknown), 'n'],
], nameOfArena, chooseArena);
makeHead();
setTheme(isDark);
if (report.arenas.length > 0) {
  connect();
  // The page shows the largest arena first.
  let largest = 0;
  report.arenas.forEach((a, i) => { if (a.arena_bytes > report.arenas[largest].arena_bytes) largest = i; });
  choose(largest);
} else {
  $('summary').textContent = 'There is no arena.';
}
document.documentElement.dataset.ready = 'yes';
