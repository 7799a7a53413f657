// The part that both pages use: number formats, DOM elements, canvases with axes,
// themes. A page declares `redraw` and, for printing, `setPrinting`.
const data = JSON.parse(document.getElementById('report').textContent);
const $ = (id) => document.getElementById(id);
const grouped = (n) => n.toLocaleString('en-US');
const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
const short = (n) => {
  let unit = 0;
  for (; Math.abs(n) >= 1024 && unit + 1 < units.length; ++unit) n /= 1024;
  return unit === 0 ? String(n) : `${Number(n.toPrecision(4))} ${units[unit]}`;
};
const ranges = (live) => {
  const shown = live.slice(0, 8).map(([a, b]) => `[${a}, ${b})`).join(' ');
  return live.length > 8 ? `${shown} and ${live.length - 8} more` : shown;
};

const make = (tag, text, attributes = {}) => {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  for (const [name, value] of Object.entries(attributes))
    element.setAttribute(name, value);
  return element;
};

// ---- Canvases ----

// The part of the plot that is shown: times [begin, end) on the x axis, bytes
// [low, high) on the y axis.
let view;
const kLeft = 84, kRight = 12, kTop = 10, kBottom = 34;

const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const begin = (canvas) => {
  const ratio = window.devicePixelRatio || 1;
  const width = canvas.clientWidth, height = canvas.clientHeight;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const context = canvas.getContext('2d');
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.font = '12px system-ui, sans-serif';
  return {context, width, height};
};

// The scales of a plot: x and y convert a time and an address to pixels, t and a
// convert pixels back.
const scales = (width, height, low, high) => {
  const w = width - kLeft - kRight, h = height - kTop - kBottom;
  return {
    x: (t) => kLeft + (t - view.begin) * w / (view.end - view.begin),
    y: (a) => height - kBottom - (a - low) * h / (high - low),
    t: (x) => view.begin + (x - kLeft) * (view.end - view.begin) / w,
    a: (y) => low + (height - kBottom - y) * (high - low) / h,
  };
};

const tickStep = (length, count, isBytes) => {
  const least = Math.max(length / count, 1);
  if (isBytes) return 2 ** Math.ceil(Math.log2(least));
  const power = 10 ** Math.floor(Math.log10(least));
  return power * [1, 2, 5, 10].find((f) => power * f >= least);
};

const axes = (plot, scale, low, high, titles) => {
  const {context, width, height} = plot;
  context.fillStyle = style('--plot');
  context.fillRect(kLeft, kTop, width - kLeft - kRight, height - kTop - kBottom);
  context.strokeStyle = style('--line');
  context.fillStyle = style('--soft');
  context.lineWidth = 1;
  context.textAlign = 'center';
  context.textBaseline = 'top';
  let step = tickStep(view.end - view.begin, 10, false);
  for (let t = Math.ceil(view.begin / step) * step; t <= view.end; t += step) {
    const x = Math.round(scale.x(t)) + .5;
    context.beginPath(); context.moveTo(x, kTop); context.lineTo(x, height - kBottom + 4); context.stroke();
    context.fillText(grouped(t), x, height - kBottom + 6);
  }
  context.fillText(titles.x, (kLeft + width - kRight) / 2, height - 14);
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  step = tickStep(high - low, Math.max(2, (height - kTop - kBottom) / 40), true);
  for (let a = Math.ceil(low / step) * step; a <= high; a += step) {
    const y = Math.round(scale.y(a)) + .5;
    context.beginPath(); context.moveTo(kLeft - 4, y); context.lineTo(width - kRight, y); context.stroke();
    context.fillText(short(a), kLeft - 8, y);
  }
  context.save();
  context.translate(10, (kTop + height - kBottom) / 2);
  context.rotate(-Math.PI / 2);
  context.textAlign = 'center';
  context.fillText(titles.y, 0, 0);
  context.restore();
};

// Draws a horizontal line for each [colour, bytes, dashes].
const levels = (plot, scale, low, high, lines) => {
  const {context, width} = plot;
  for (const [colour, bytes, dashes] of lines) {
    if (bytes < low || bytes > high) continue;
    context.strokeStyle = style(colour);
    context.lineWidth = 1.5;
    context.setLineDash(dashes);
    context.beginPath(); context.moveTo(kLeft, scale.y(bytes)); context.lineTo(width - kRight, scale.y(bytes)); context.stroke();
    context.setLineDash([]);
  }
};

const inside = (plot, paint) => {
  const {context, width, height} = plot;
  context.save();
  context.beginPath();
  context.rect(kLeft, kTop, width - kLeft - kRight, height - kTop - kBottom);
  context.clip();
  paint(context);
  context.restore();
};

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

const showTip = (tip, text, event) => {
  tip.hidden = !text;
  if (!text) return;
  tip.textContent = text;
  const box = tip.parentElement.getBoundingClientRect();
  tip.style.left = `${Math.max(0, Math.min(event.clientX - box.left + 14, box.width - tip.offsetWidth - 8))}px`;
  tip.style.top = `${event.clientY - box.top + 14}px`;
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

