// The part that all pages share: number formats, DOM elements, totals and tables,
// canvases with axes, zooming, themes. A page declares `redraw` and, for printing,
// `setPrinting`.
const data = JSON.parse(document.getElementById('report').textContent);
const $ = (id) => document.getElementById(id);
const grouped = (n) => n === null || n === undefined ? '–' : n.toLocaleString('en-US');
const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
const short = (n) => {
  let unit = 0;
  for (; Math.abs(n) >= 1024 && unit + 1 < units.length; ++unit) n /= 1024;
  return unit === 0 ? String(n) : `${Number(n.toPrecision(4))} ${units[unit]}`;
};
const plural = (n, noun) => `${grouped(n)} ${noun}${n === 1 ? '' : 's'}`;
const percent = (part, all) => all > 0 ? `${(100 * part / all).toFixed(1)} %` : '';
// A number of buffers of which `unknown` have no known size, unless a formula gives it.
const sized = (bytes, unknown, formula) => formula ? formula : !unknown ? grouped(bytes) : bytes ? `${grouped(bytes)} + ${grouped(unknown)} of unknown size` : `${grouped(unknown)} of unknown size`;
const ranges = (live) => {
  const shown = live.slice(0, 8).map(([a, b]) => `[${a}, ${b})`).join(' ');
  return live.length > 8 ? `${shown} and ${live.length - 8} more` : shown;
};

const make = (tag, text, attributes = {}) => {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  for (const [name, value] of Object.entries(attributes))
    if (value !== '' || name !== 'class') element.setAttribute(name, value);
  return element;
};

// ---- Totals and tables ----

const addTotal = (key, name, value, note, text) => {
  const box = make('div');
  box.append(make('dt', name));
  const shown = make('dd', text || grouped(value), {'data-key': key, 'data-value': value});
  if (note) shown.append(make('small', note));
  box.append(shown);
  $('totals').append(box);
};

// A row of [text, class] cells; a cell that may be cut off shows all in its title.
const rowOf = (cells, attributes = {}) => {
  const row = make('tr', undefined, attributes);
  for (const [text, style = ''] of cells) {
    const cell = make('td', text, {class: style});
    if (style === 'long') cell.title = text;
    row.append(cell);
  }
  return row;
};

// Shows the items in the table `id` and hides its section if there is none. The
// page stays small with many: at most kMostRows are shown.
const kMostRows = 500;
const fill = (id, items, toRow) => {
  const section = $(`${id}-section`);
  if (section) section.hidden = items.length === 0;
  const rows = items.slice(0, kMostRows).map(toRow);
  if (items.length > kMostRows)
    rows.push(rowOf([[`and ${grouped(items.length - kMostRows)} more`]]));
  $(id).tBodies[0].replaceChildren(...rows);
};

// The parts of a report, of which one is shown: a table and a menu that choose it.
const makeChooser = (id, items, toCells, nameOf, choose) => {
  const pick = (index) => {
    $('choose').value = index;
    for (const row of $(id).tBodies[0].rows)
      row.classList.toggle('on', Number(row.dataset.index) === index);
    choose(index);
  };
  fill(id, items, (item) => {
    const index = items.indexOf(item);
    const row = rowOf(toCells(item), {tabindex: 0, 'data-index': index});
    row.onclick = () => pick(index);
    row.onkeydown = (event) => {
      if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); pick(index); }
    };
    return row;
  });
  $(`${id}-section`).hidden = $('chooser').hidden = items.length < 2;
  items.forEach((item, index) => $('choose').append(make('option', nameOf(item), {value: index})));
  $('choose').onchange = () => pick(Number($('choose').value));
  return pick;
};

// ---- Canvases ----

// The part of the plot that is shown: times [begin, end) on the x axis, bytes
// [low, high) on the y axis.
let view;
const kRight = 12, kTop = 10, kBottom = 34;
const leftOf = (width) => width < 500 ? 74 : 84;

const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const colourOf = (number) => `hsl(${number * 137 % 360} 60% ${style('--light')})`;

const begin = (canvas) => {
  const ratio = window.devicePixelRatio || 1;
  const width = canvas.clientWidth, height = canvas.clientHeight;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const context = canvas.getContext('2d');
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.font = '12px system-ui, sans-serif';
  return {context, width, height, left: leftOf(width)};
};

// The scales of a plot: x and y convert a time and an address to pixels, t and a
// convert pixels back.
const scales = (width, height, low, high) => {
  const left = leftOf(width), w = width - left - kRight, h = height - kTop - kBottom;
  return {
    x: (t) => left + (t - view.begin) * w / (view.end - view.begin),
    y: (a) => height - kBottom - (a - low) * h / (high - low),
    t: (x) => view.begin + (x - left) * (view.end - view.begin) / w,
    a: (y) => low + (height - kBottom - y) * (high - low) / h,
  };
};

const tickStep = (length, count, isBytes, smallest = 1) => {
  const least = Math.max(length / count, smallest);
  if (isBytes) return 2 ** Math.ceil(Math.log2(least));
  const power = 10 ** Math.floor(Math.log10(least));
  return power * [1, 2, 5, 10].find((f) => power * f >= least);
};

// Draws the frame, the grid and the numbers. `titles` has the texts of both axes
// and, where they are not points of time and bytes, the formats of their numbers.
const axes = (plot, scale, low, high, titles) => {
  const {context, width, height, left} = plot;
  const {x: titleX, y: titleY, isBytesX = false, isBytesY = true, formatX = grouped, formatY = short, smallestY = 1} = titles;
  context.fillStyle = style('--plot');
  context.fillRect(left, kTop, width - left - kRight, height - kTop - kBottom);
  context.strokeStyle = style('--line');
  context.fillStyle = style('--soft');
  context.lineWidth = 1;
  context.textAlign = 'center';
  context.textBaseline = 'top';
  let step = tickStep(view.end - view.begin, Math.max(3, (width - left) / 110), isBytesX);
  for (let t = Math.ceil(view.begin / step) * step; t <= view.end; t += step) {
    const x = Math.round(scale.x(t)) + .5;
    context.beginPath(); context.moveTo(x, kTop); context.lineTo(x, height - kBottom + 4); context.stroke();
    const text = formatX(t), half = context.measureText(text).width / 2;
    context.fillText(text, Math.min(x, width - half), height - kBottom + 6);
  }
  context.fillText(titleX, (left + width - kRight) / 2, height - 14);
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  step = tickStep(high - low, Math.max(2, (height - kTop - kBottom) / 40), isBytesY, smallestY);
  for (let a = Math.ceil(low / step) * step; a <= high; a += step) {
    const y = Math.round(scale.y(a)) + .5;
    context.beginPath(); context.moveTo(left - 4, y); context.lineTo(width - kRight, y); context.stroke();
    context.fillText(formatY(a), left - 8, y);
  }
  context.save();
  context.translate(8, (kTop + height - kBottom) / 2);
  context.rotate(-Math.PI / 2);
  context.textAlign = 'center';
  context.fillText(titleY, 0, 0);
  context.restore();
};

const strokeLine = (context, colour, dashes, x1, y1, x2, y2) => {
  context.strokeStyle = style(colour);
  context.lineWidth = 1.5;
  context.setLineDash(dashes);
  context.beginPath(); context.moveTo(x1, y1); context.lineTo(x2, y2); context.stroke();
  context.setLineDash([]);
};

// Draws a horizontal line for each [colour, bytes, dashes].
const levels = (plot, scale, low, high, lines) => {
  for (const [colour, bytes, dashes] of lines)
    if (bytes !== null && bytes >= low && bytes <= high)
      strokeLine(plot.context, colour, dashes, plot.left, scale.y(bytes), plot.width - kRight, scale.y(bytes));
};

// Draws a vertical line at the middle of a point of time, with a text beside it.
const markTime = (plot, scale, time, colour, dashes, text) => {
  const {context, width, height, left} = plot, x = scale.x(time + .5);
  if (x < left || x > width - kRight) return;
  strokeLine(context, colour, dashes, x, kTop, x, height - kBottom);
  if (!text) return;
  const isLeft = x > width / 2, w = context.measureText(text).width + 8;
  context.fillStyle = style('--back');
  context.fillRect(isLeft ? x - w - 2 : x + 2, kTop + 2, w, 16);
  context.fillStyle = style(colour);
  context.textAlign = isLeft ? 'right' : 'left';
  context.textBaseline = 'middle';
  context.fillText(text, isLeft ? x - 6 : x + 6, kTop + 10);
};

// Fills a rectangle with diagonal lines, unless it is too small for them.
const hatch = (context, x, y, w, h, colour) => {
  if (w < 2 || h < 2) return;
  context.save();
  context.beginPath(); context.rect(x, y, w, h); context.clip();
  context.strokeStyle = colour;
  context.lineWidth = 1;
  context.beginPath();
  for (let at = x - h; at < x + w; at += 6) { context.moveTo(at, y + h); context.lineTo(at + h, y); }
  context.stroke();
  context.restore();
};

const inside = (plot, paint) => {
  const {context, width, height, left} = plot;
  context.save();
  context.beginPath();
  context.rect(left, kTop, width - left - kRight, height - kTop - kBottom);
  context.clip();
  paint(context);
  context.restore();
};

// The legend of a plot: entries of [key, text, attributes], where the key is a
// line in the colour of a level, an area, or a hatched area.
const showLegend = (entries) => $('legend').replaceChildren(...entries.map(([key, text, attributes]) => {
  const entry = make('span', undefined, {class: 'entry'});
  if (key.kind === 'line')
    entry.append(make('span', undefined, {class: 'key', style: `border-color: var(${key.colour}); border-top-style: ${key.dashed ? 'dashed' : 'solid'}`}));
  else if (key.kind === 'area')
    entry.append(make('span', undefined, {class: `key area ${key.style || ''}`, style: key.colour ? `background: ${key.colour}` : ''}));
  entry.append(make('span', text, attributes));
  return entry;
}));

// Redraws in the next frame, and only once even if called several times before.
let isDue = false;
const draw = () => {
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(() => { isDue = false; redraw(); });
};

// Scales the interval [low, high) by a factor around the point `at`, to at least
// `smallest` and within [least, most).
const lengthen = (low, high, factor, at, least, most, smallest) => {
  const length = Math.min(Math.max((high - low) * factor, smallest), most - least);
  const start = Math.min(Math.max(at - (at - low) / (high - low) * length, least), most - length);
  return [start, start + length];
};

// Moves the interval [low, high), within [least, most).
const move = (low, high, by, least, most) => {
  const shift = Math.min(Math.max(by, least - low), most - high);
  return [low + shift, high + shift];
};

const showTip = (text, event) => {
  const tip = $('tip');
  tip.hidden = !text;
  if (!text) return;
  tip.textContent = text;
  const box = tip.parentElement.getBoundingClientRect();
  tip.style.left = `${Math.max(0, Math.min(event.clientX - box.left + 14, box.width - tip.offsetWidth - 8))}px`;
  tip.style.top = `${event.clientY - box.top + 14}px`;
};

// The map answers to pointer, wheel, keys and buttons. `actor` has pan(from, to)
// and zoom(factor, at) of points [time, bytes], showAll(), tap(event), tipAt(event)
// and keys: functions by key.
const connectMap = (actor) => {
  const map = $('map');
  let drag = null;
  const point = (event) => {
    const box = map.getBoundingClientRect();
    const scale = scales(map.clientWidth, map.clientHeight, view.low, view.high);
    return [scale.t(event.clientX - box.left), scale.a(event.clientY - box.top)];
  };
  map.onpointermove = (event) => {
    if (!drag) return showTip(actor.tipAt(event), event);
    // A finger that shakes still taps.
    if (!drag.isMoved && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < 4) return;
    actor.pan(drag.at, point(event));
    drag.isMoved = true;
    $('tip').hidden = true;
    draw();
  };
  map.onpointerdown = (event) => {
    drag = {at: point(event), x: event.clientX, y: event.clientY, isMoved: false};
    map.setPointerCapture(event.pointerId);
  };
  map.onpointerup = (event) => {
    if (drag && !drag.isMoved) actor.tap(event);
    drag = null;
  };
  map.onpointercancel = () => { drag = null; };
  map.onpointerleave = () => { $('tip').hidden = true; };
  map.addEventListener('wheel', (event) => {
    event.preventDefault();
    actor.zoom(event.deltaY > 0 ? 1.25 : .8, point(event));
    draw();
  }, {passive: false});
  const zoomMiddle = (factor) => {
    actor.zoom(factor, [(view.begin + view.end) / 2, (view.low + view.high) / 2]);
    draw();
  };
  const showAll = () => { actor.showAll(); draw(); };
  const keys = {'+': () => zoomMiddle(.8), '=': () => zoomMiddle(.8), '-': () => zoomMiddle(1.25), 0: showAll, ...actor.keys};
  map.onkeydown = (event) => {
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  };
  for (const [text, title, act] of [['+', 'Zoom in', () => zoomMiddle(.6)], ['−', 'Zoom out', () => zoomMiddle(1.6)], ['all', 'Show all', showAll]]) {
    const button = make('button', text, {type: 'button', title, 'aria-label': title});
    button.onclick = act;
    $('tools').append(button);
  }
};

// ---- Themes and paper ----

const setTheme = (isDark) => {
  document.documentElement.classList.toggle('dark', isDark);
  $('theme').textContent = isDark ? 'light' : 'dark';
  if (view) redraw();
};

const dark = window.matchMedia('(prefers-color-scheme: dark)');
let isDark = dark.matches;
dark.onchange = () => setTheme(isDark = dark.matches);
$('theme').onclick = () => setTheme(isDark = !isDark);
// A printed page has the light theme, and its tables have all rows.
window.addEventListener('beforeprint', () => { setTheme(false); setPrinting(true); });
window.addEventListener('afterprint', () => { setTheme(isDark); setPrinting(false); });
window.addEventListener('resize', () => { if (view) draw(); });

