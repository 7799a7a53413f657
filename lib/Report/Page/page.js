// The page of a report, which is the JSON text in the element #report.
const report = data;
// ---- Totals and arenas ----

const showTotals = () => {
  const totals = report.totals;
  const add = (key, name, bytes, note) => {
    const box = make('div');
    box.append(make('dt', name));
    const value = make('dd', grouped(bytes), {'data-key': key, 'data-value': bytes});
    if (note) value.append(make('small', note));
    box.append(value);
    $('totals').append(box);
  };
  const percent = totals.sum_bytes > 0 ? (100 * totals.saved_bytes / totals.sum_bytes).toFixed(1) : '0.0';
  add('arena_bytes', 'arena bytes', totals.arena_bytes, `${short(totals.arena_bytes)} in ${totals.arenas} arena${totals.arenas === 1 ? '' : 's'}`);
  add('bound_bytes', 'lower bound', totals.bound_bytes, 'no plan needs less');
  add('sum_bytes', 'without reuse', totals.sum_bytes, short(totals.sum_bytes));
  add('saved_bytes', 'saved', totals.saved_bytes, `${percent} %`);
  for (const [key, name] of [['unplanned', 'not planned'], ['planned_before', 'planned before'],
      ['arguments', 'arguments'], ['results', 'results'], ['constants', 'constants'], ['variables', 'other globals']]) {
    const group = totals[key];
    if (group.count === 0 && key !== 'unplanned') continue;
    add(key, name, group.bytes, `${group.count} in number` + (group.unknown ? `, ${group.unknown} of unknown size` : ''));
  }
};

// An arena of a program has the name of a function, which gets an @; the arena of
// a problem file has the name of the file.
const isProgram = report.functions.length > 0 || report.arenas.some((a) => a.buffers.some((b) => b.type));
const nameOf = (arena) => (isProgram ? '@' : '') + arena.function +
  (arena.workers ? `, each of ${arena.workers} workers of ${arena.loop}` : '');

const showArenas = () => {
  const body = $('arenas').tBodies[0];
  report.arenas.forEach((arena, index) => {
    const row = make('tr', undefined, {tabindex: 0, 'data-arena': index});
    row.append(make('td', nameOf(arena) + (arena.is_frame ? ' (part of its callers\u2019)' : '')),
      make('td', arena.memory_space), make('td', arena.status),
      make('td', grouped(arena.arena_bytes), {class: 'n'}),
      make('td', grouped(arena.bound_bytes), {class: 'n'}),
      make('td', arena.ratio_to_bound.toFixed(4), {class: 'n'}),
      make('td', grouped(arena.sum_bytes), {class: 'n'}),
      make('td', grouped(arena.unplanned_bytes) + (arena.unplanned_unknown ? ` + ${arena.unplanned_unknown} unknown` : ''), {class: 'n'}));
    row.onclick = () => choose(index);
    row.onkeydown = (event) => {
      if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); choose(index); }
    };
    body.append(row);
  });
};

// ---- The chosen arena ----

let arena, slots, buffers, rects, time, selected = -1, curve, curveTop;

const choose = (index) => {
  arena = report.arenas[index];
  slots = arena.slots;
  buffers = arena.buffers;
  for (const row of $('arenas').tBodies[0].rows)
    row.classList.toggle('on', Number(row.dataset.arena) === index);
  $('name').textContent = `${nameOf(arena)}, memory space ${arena.memory_space}`;
  const winner = arena.winner && arena.winner !== arena.strategy ? ` (${arena.winner})` : '';
  $('facts').textContent = arena.status === 'planned-before' ?
    `planned before: ${grouped(arena.arena_bytes)} bytes` :
    `${grouped(arena.arena_bytes)} bytes, ${arena.status}, by ${arena.strategy}${winner}; alignment ${arena.alignment}; ` +
    `${arena.buffers_planned} buffers in ${slots.length} slots; ` +
    `peak ${grouped(arena.peak.bytes)} bytes at point ${arena.peak.point}` + (arena.peak.location ? `, ${arena.peak.location}` : '') +
    (arena.message ? `; ${arena.message}` : '');
  // One rectangle for each live range, in the order of the slots.
  rects = [];
  time = {begin: Infinity, end: -Infinity};
  slots.forEach((slot, i) => slot.live.forEach(([from, to]) => {
    rects.push({slot: i, from, to, low: slot.offset, high: slot.offset === null ? null : slot.offset + slot.size});
    time.begin = Math.min(time.begin, from);
    time.end = Math.max(time.end, to);
  }));
  if (rects.length === 0) time = {begin: 0, end: 1};
  const changes = new Map();
  slots.forEach((slot) => slot.live.forEach(([from, to]) => {
    changes.set(from, (changes.get(from) || 0) + slot.size);
    changes.set(to, (changes.get(to) || 0) - slot.size);
  }));
  let bytes = 0;
  curve = [...changes.keys()].sort((a, b) => a - b).map((point) => [point, bytes += changes.get(point)]);
  const top = Math.max(arena.arena_bytes, arena.bound_bytes, 1);
  const near = arena.capacity !== undefined && arena.capacity <= 2 * top ? arena.capacity : 0;
  curveTop = Math.max(top, near);
  view = all();
  selected = -1;
  showLegend();
  showStrategies();
  showUnplanned();
  filter();
  draw();
  showDetails();
};

const all = () => ({begin: time.begin, end: time.end, low: 0, high: curveTop});

const showLegend = () => {
  const legend = $('legend');
  legend.replaceChildren(make('span', 'A rectangle is a slot while it is live.'));
  const levels = [['arena', arena.arena_bytes], ['bound', arena.bound_bytes]];
  if (arena.capacity !== undefined) levels.push(['capacity', arena.capacity]);
  for (const [name, bytes] of levels) {
    legend.append(make('span', undefined, {class: 'key', style: `border-color: var(--${name}); border-top-style: ${name === 'arena' ? 'solid' : 'dashed'}`}));
    legend.append(make('span', `${name} ${grouped(bytes)}`, {'data-level': name, 'data-value': bytes}));
  }
};

const showStrategies = () => {
  const strategies = arena.strategies || [];
  $('strategies-section').hidden = strategies.length === 0;
  const body = $('strategies').tBodies[0];
  body.replaceChildren();
  const most = Math.max(1, ...strategies.map((s) => s.arena_bytes));
  for (const strategy of strategies) {
    const row = make('tr');
    const bar = make('td');
    bar.append(make('span', undefined, {class: 'bar', style: `width: ${100 * strategy.arena_bytes / most}%`}));
    row.append(make('td', strategy.name + (strategy.name === arena.winner ? ' (taken)' : '')),
      make('td', grouped(strategy.arena_bytes), {class: 'n', 'data-value': strategy.arena_bytes}),
      make('td', arena.bound_bytes ? (strategy.arena_bytes / arena.bound_bytes).toFixed(4) : '', {class: 'n'}), bar);
    body.append(row);
  }
};

const showUnplanned = () => {
  const unplanned = buffers.filter((b) => !b.planned);
  $('unplanned-section').hidden = unplanned.length === 0;
  const body = $('unplanned').tBodies[0];
  const rows = unplanned.map((b) => {
    const row = make('tr', undefined, {'data-name': b.name});
    row.append(make('td', b.name), make('td', b.size === null ? 'unknown' : grouped(b.size), {class: 'n'}),
      make('td', b.type || '', {class: 'long'}), make('td', b.location || '', {class: 'long'}),
      make('td', b.reason), make('td', b.reason_location || '', {class: 'long'}));
    return row;
  });
  body.replaceChildren(...rows);
};

// ---- The table: only the rows that can be seen are in the page ----

const kRowHeight = 24, kAround = 20;
const columns = [
  ['name', 'buffer', (b) => b.name, ''],
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
  const text = (b) => [b.name, b.type, b.location, b.reason, b.planned ? 'planned' : 'not planned'].join(' ').toLowerCase();
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
  const index = order[place], buffer = buffers[index];
  const row = make('tr', undefined, {'data-name': buffer.name, 'aria-rowindex': place + 1, tabindex: -1});
  for (const [key, , get, style] of columns) {
    const cell = make('td', cellText(buffer, key, get(buffer)), {class: style, 'data-key': key});
    if (style === 'long') cell.title = cell.textContent;
    row.append(cell);
  }
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
  const light = style('--light'), back = style('--back'), text = style('--text');
  inside(plot, (context) => {
    context.lineWidth = .5;
    for (const rect of rects) {
      if (rect.low === null || rect.to < view.begin || rect.from > view.end || rect.high < view.low || rect.low > view.high) continue;
      const x = scale.x(rect.from), y = scale.y(rect.high);
      const w = Math.max(scale.x(rect.to) - x, .7), h = Math.max(scale.y(rect.low) - y, .7);
      context.fillStyle = `hsl(${rect.slot * 137 % 360} 60% ${light})`;
      context.fillRect(x, y, w, h);
      if (w > 3 && h > 3) {
        context.strokeStyle = back;
        context.strokeRect(x, y, w, h);
      }
      const name = slots[rect.slot].name;
      if (h > 14 && w > 9 * name.length + 6) {
        context.fillStyle = text;
        context.textAlign = 'center';
        context.textBaseline = 'middle';
        context.fillText(name, x + w / 2, y + h / 2);
      }
    }
    context.strokeStyle = text;
    context.lineWidth = 2;
    for (const rect of rects)
      if (rect.slot === selected && rect.low !== null)
        context.strokeRect(scale.x(rect.from), scale.y(rect.high), Math.max(scale.x(rect.to) - scale.x(rect.from), 1), Math.max(scale.y(rect.low) - scale.y(rect.high), 1));
  });
  levels(plot, scale, view.low, view.high, getLevels());
};

const drawCurve = () => {
  const plot = begin($('curve'));
  const scale = scales(plot.width, plot.height, 0, curveTop);
  axes(plot, scale, 0, curveTop, {x: '', y: 'live bytes'});
  inside(plot, (context) => {
    context.fillStyle = style('--mark');
    context.globalAlpha = .35;
    context.beginPath();
    let height = scale.y(0);
    context.moveTo(scale.x(time.begin), height);
    for (const [point, bytes] of curve) {
      context.lineTo(scale.x(point), height);
      context.lineTo(scale.x(point), height = scale.y(bytes));
    }
    context.lineTo(scale.x(time.end), scale.y(0));
    context.fill();
  });
  levels(plot, scale, 0, curveTop, getLevels());
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
    const buffer = buffers.find((b) => b.name === use.buffer);
    lines.push(`holds ${use.buffer}` + (slot.uses ? ` ${ranges(use.live)}` : '') +
      (buffer && buffer.type ? `, ${buffer.type}` : '') + (buffer && buffer.location ? `, ${buffer.location}` : ''));
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

const zoom = (factor, t, a) => {
  [view.begin, view.end] = lengthen(view.begin, view.end, factor, t, time.begin, time.end, Math.min(4, time.end - time.begin));
  [view.low, view.high] = lengthen(view.low, view.high, factor, a, 0, curveTop, Math.min(64, curveTop));
  draw();
};

const connect = () => {
  const map = $('map'), tip = $('tip');
  let drag = null;
  const point = (event) => {
    const box = map.getBoundingClientRect();
    const scale = scales(map.clientWidth, map.clientHeight, view.low, view.high);
    return [scale.t(event.clientX - box.left), scale.a(event.clientY - box.top)];
  };
  map.onpointermove = (event) => {
    if (drag) {
      const [t, a] = point(event);
      [view.begin, view.end] = move(view.begin, view.end, drag.at[0] - t, time.begin, time.end);
      [view.low, view.high] = move(view.low, view.high, drag.at[1] - a, 0, curveTop);
      drag.isMoved = true;
      tip.hidden = true;
      draw();
      return;
    }
    const slot = hit(event);
    showTip(tip, slot < 0 ? '' : describe(slots[slot]), event);
  };
  map.onpointerdown = (event) => { drag = {at: point(event), isMoved: false}; map.setPointerCapture(event.pointerId); };
  map.onpointerup = (event) => {
    if (drag && !drag.isMoved) select(hit(event));
    drag = null;
  };
  map.onpointerleave = () => { tip.hidden = true; };
  map.addEventListener('wheel', (event) => {
    event.preventDefault();
    zoom(event.deltaY > 0 ? 1.25 : .8, ...point(event));
  }, {passive: false});
  map.onkeydown = (event) => {
    const middle = [(view.begin + view.end) / 2, (view.low + view.high) / 2];
    const count = slots.length;
    const actions = {
      ArrowRight: () => count && select((selected + 1) % count),
      ArrowDown: () => count && select((selected + 1) % count),
      ArrowLeft: () => count && select((selected + count - (selected < 0 ? 0 : 1)) % count),
      ArrowUp: () => count && select((selected + count - (selected < 0 ? 0 : 1)) % count),
      Escape: () => select(-1),
      '+': () => zoom(.8, ...middle), '=': () => zoom(.8, ...middle), '-': () => zoom(1.25, ...middle),
      0: () => { view = all(); draw(); },
    };
    if (!actions[event.key]) return;
    event.preventDefault();
    actions[event.key]();
  };
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
showArenas();
makeHead();
setTheme(isDark);
$('arenas-section').hidden = report.arenas.length < 2;
if (report.arenas.length > 0) {
  connect();
  // The page shows the largest arena first.
  let largest = 0;
  report.arenas.forEach((a, i) => { if (a.arena_bytes > report.arenas[largest].arena_bytes) largest = i; });
  choose(largest);
} else {
  $('facts').textContent = 'There is no arena.';
}
document.documentElement.dataset.ready = 'yes';
