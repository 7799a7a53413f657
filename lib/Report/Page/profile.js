// The page of memory profiles: of one graph, of several ({"profiles": [...]}), or
// of a forward and a backward function. The baseline of the backward one, in
// bytes, is below its profile.
const flatten = (report, base = 0, title = '') => {
  if (report.profiles) return report.profiles.flatMap((part) => flatten(part));
  if (report.forward)
    return [...flatten(report.forward, 0, 'forward'), ...flatten(report.backward, report.baseline_bytes, 'backward')];
  const name = report.graph || 'graph';
  return [{...report, base, title: title ? `${title}: ${name}` : name}];
};
const profiles = flatten(data);
const pairs = data.profiles ? data.profiles.filter((part) => part.forward) : data.forward ? [data] : [];

const whenOf = (profile, index) => {
  const entry = profile.entries[index];
  if (entry.op === undefined) return 'before the first op';
  return `time ${entry.time}, when '${entry.op}' has ${entry.phase === 'allocate' ? 'allocated' : 'released'}`;
};

const showTotals = () => {
  const add = (key, name, bytes, note) => {
    const box = make('div');
    box.append(make('dt', name));
    const value = make('dd', grouped(bytes), {'data-key': key, 'data-value': bytes});
    value.append(make('small', note || short(bytes)));
    box.append(value);
    $('totals').append(box);
  };
  for (const pair of pairs) {
    add('forward_peak_bytes', 'forward peak', pair.forward_peak_bytes);
    add('backward_peak_bytes', 'backward peak', pair.backward_peak_bytes, 'with the baseline');
    add('baseline_bytes', 'baseline', pair.baseline_bytes, `${pair.baseline.length} forward outputs`);
    add('peak_bytes', 'peak of the pair', pair.peak_bytes);
  }
  if (pairs.length > 0 || profiles.length === 0) return;
  const largest = profiles.reduce((a, b) => b.peak_bytes > a.peak_bytes ? b : a);
  add('peak_bytes', profiles.length > 1 ? 'largest peak' : 'peak', largest.peak_bytes);
  for (const space of largest.spaces.filter((s) => s.space !== '' && s.peak_bytes > 0))
    add(`peak_bytes[${space.space}]`, `peak of space '${space.space}'`, space.peak_bytes);
};

const showProfiles = () => {
  profiles.forEach((profile, index) => {
    const row = make('tr', undefined, {tabindex: 0, 'data-profile': index});
    row.append(make('td', profile.title), make('td', grouped(profile.base + profile.peak_bytes), {class: 'n'}),
      make('td', whenOf(profile, profile.peak_entry)), make('td', grouped(profile.allocations.length), {class: 'n'}),
      make('td', grouped(profile.entries.length), {class: 'n'}));
    row.onclick = () => choose(index);
    row.onkeydown = (event) => {
      if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); choose(index); }
    };
    $('profiles').tBodies[0].append(row);
  });
};

// ---- The chosen profile ----

// A segment is the bytes of an allocation at the entries [from, to); the segments
// are in the order of `from`. An allocation with a rest has two, as its rest
// is released first.
let profile, segments, top, selected;

const makeSegments = () => {
  const open = new Map();
  segments = [];
  profile.entries.forEach((entry, index) => {
    for (const number of entry.allocated || []) {
      const allocation = profile.allocations[number], rest = allocation.rest_bytes || 0;
      const parts = rest > 0 ? [allocation.bytes - rest, rest] : [allocation.bytes];
      const own = parts.map((bytes) => ({number, allocation, bytes, from: index, to: profile.entries.length}));
      segments.push(...own);
      open.set(number, own.slice());
    }
    for (const number of entry.released || []) {
      const own = open.get(number);
      if (own && own.length > 0) own.pop().to = index;
    }
  });
};

const choose = (index) => {
  profile = profiles[index];
  for (const row of $('profiles').tBodies[0].rows)
    row.classList.toggle('on', Number(row.dataset.profile) === index);
  makeSegments();
  top = Math.max(profile.base + profile.peak_bytes, 1);
  view = all();
  selected = profile.peak_entry;
  $('name').textContent = profile.title;
  $('facts').textContent = `peak ${grouped(profile.base + profile.peak_bytes)} bytes, ${whenOf(profile, profile.peak_entry)}; ` +
    (profile.peak_formula ? `= ${profile.peak_formula}, under the hints given; ` : '') +
    `held: ${profile.held.join(', ') || 'nothing'}` + (profile.excluded.length ? `; not counted: ${profile.excluded.join(', ')}` : '') +
    (profile.ties ? '; results take the place of operands that die' : '');
  const legend = $('legend');
  legend.replaceChildren(make('span', 'Allocations stacked, in the order in which they are made; what is too thin to see is grey, scratch is hatched.'));
  legend.append(make('span', undefined, {class: 'key', style: 'border-color: var(--bound); border-top-style: dashed'}));
  legend.append(make('span', `peak ${grouped(profile.base + profile.peak_bytes)}`, {'data-level': 'peak', 'data-value': profile.base + profile.peak_bytes}));
  if (profile.base > 0) legend.append(make('span', `; the lowest ${grouped(profile.base)} bytes are the baseline`));
  draw();
  showLive();
};

const all = () => ({begin: 0, end: Math.max(profile.entries.length, 1), low: 0, high: top * 1.04});

// The segments that are live in an entry, from the bottom of the stack.
const liveAt = (index) => segments.filter((s) => s.from <= index && index < s.to);

const describe = (segment) => {
  const {allocation, bytes} = segment;
  return `${allocation.id}: ${grouped(bytes)} bytes${allocation.formula ? ` = ${allocation.formula}` : ''}, ${allocation.origin}` +
    (allocation.op ? `, made by '${allocation.op}'` : '') + `, live ${timesOf(allocation)}` +
    (allocation.location ? `\n${allocation.location}` : '');
};
const timesOf = (allocation) => `${allocation.begin}..${allocation.released ? allocation.end - 1 : 'end'}`;
const describeEntry = (index) => {
  const entry = profile.entries[index];
  return `${whenOf(profile, index)}: ${grouped(profile.base + entry.live_bytes)} bytes live` +
    (entry.scratch_bytes ? `, ${grouped(entry.scratch_bytes)} of them scratch${entry.scratch_formula ? ` = ${entry.scratch_formula}` : ''}` : '') +
    (entry.name ? `\n${entry.name}` : '') + (entry.location ? `, ${entry.location}` : '');
};

const kMostRows = 500;
const showLive = () => {
  const entry = profile.entries[selected];
  const sums = new Map();
  for (const segment of liveAt(selected)) {
    const old = sums.get(segment.number);
    sums.set(segment.number, {...segment, bytes: segment.bytes + (old ? old.bytes : 0)});
  }
  const live = [...sums.values()].sort((a, b) => b.bytes - a.bytes || a.number - b.number);
  const words = $('search').value.toLowerCase().split(/\s+/).filter(Boolean);
  const text = ({allocation: a}) => [a.id, a.origin, a.op, a.location].join(' ').toLowerCase();
  const shown = words.length ? live.filter((s) => words.every((w) => text(s).includes(w))) : live;
  $('when').textContent = selected === profile.peak_entry ? 'Live at the peak' : `Live at ${whenOf(profile, selected)}`;
  $('count').textContent = `${grouped(shown.length)} of ${grouped(live.length)} allocations, ${grouped(entry.live_bytes)} bytes`;
  const share = (bytes) => entry.live_bytes ? `${(100 * bytes / entry.live_bytes).toFixed(1)} %` : '';
  const rows = shown.slice(0, kMostRows).map(({allocation: a, bytes}) => {
    const row = make('tr', undefined, {'data-name': a.id});
    const cells = [[grouped(bytes), 'n'], [share(bytes), 'n'], [a.id, 'long'], [a.origin, ''], [a.op || '', 'long'], [timesOf(a), ''], [a.location || '', 'long']];
    row.append(...cells.map(([value, style]) => make('td', value, {class: style, title: value})));
    return row;
  });
  const addRow = (bytes, name, op) => {
    const row = make('tr', undefined, {'data-name': name});
    row.append(make('td', grouped(bytes), {class: 'n'}), make('td', share(bytes), {class: 'n'}), make('td', name), make('td', ''), make('td', op), make('td', ''), make('td', ''));
    rows.push(row);
  };
  if (shown.length > kMostRows)
    addRow(shown.slice(kMostRows).reduce((sum, s) => sum + s.bytes, 0), `(${grouped(shown.length - kMostRows)} smaller ones)`, '');
  if (entry.scratch_bytes && !words.length) addRow(entry.scratch_bytes, '(scratch)', entry.op);
  $('live').tBodies[0].replaceChildren(...rows);
  $('details').textContent = describeEntry(selected);
};
const setPrinting = () => {};

// ---- The plot ----

const scaleOf = () => scales($('map').clientWidth, $('map').clientHeight, view.low, view.high);

// The entries that are drawn: all if each has a column of pixels, otherwise in
// each column the entry with the most live bytes.
const columnsOf = (width) => {
  const first = Math.floor(view.begin), last = Math.min(Math.ceil(view.end), profile.entries.length);
  const count = Math.max(1, Math.min(last - first, Math.floor(width)));
  const columns = [];
  for (let i = 0; i < count; ++i) {
    const from = first + Math.floor(i * (last - first) / count);
    const to = Math.max(from + 1, first + Math.floor((i + 1) * (last - first) / count));
    let most = from;
    for (let e = from; e < to; ++e)
      if (profile.entries[e].live_bytes > profile.entries[most].live_bytes) most = e;
    columns.push({from, to, entry: most});
  }
  return columns;
};

const redraw = () => {
  const plot = begin($('map'));
  const scale = scaleOf();
  axes(plot, scale, view.low, view.high, {x: 'entries (after each allocation and each release)', y: 'live bytes'});
  const light = style('--light'), grey = style('--line'), text = style('--text');
  inside(plot, (context) => {
    // Segments that are live, kept from column to column.
    let next = 0, live = [];
    for (const {from, to, entry} of columnsOf(plot.width - kLeft - kRight)) {
      while (next < segments.length && segments[next].from <= entry) live.push(segments[next++]);
      live = live.filter((s) => s.to > entry);
      const x = scale.x(from), w = scale.x(to) - x + .4;
      let bytes = profile.base, thin = 0;
      context.fillStyle = style('--soft');
      if (bytes > 0) context.fillRect(x, scale.y(bytes), w, scale.y(0) - scale.y(bytes));
      const flush = () => {
        if (thin === bytes) return;
        context.fillStyle = grey;
        context.fillRect(x, scale.y(bytes), w, scale.y(thin) - scale.y(bytes));
      };
      thin = bytes;
      const perByte = scale.y(0) - scale.y(1);
      for (const segment of live) {
        if (segment.bytes * perByte >= .7) {
          flush();
          const y = scale.y(bytes + segment.bytes);
          context.fillStyle = `hsl(${segment.number * 137 % 360} 60% ${light})`;
          context.fillRect(x, y, w, scale.y(bytes) - y);
          thin = bytes += segment.bytes;
        } else {
          bytes += segment.bytes;
        }
      }
      flush();
      const scratch = profile.entries[entry].scratch_bytes || 0;
      if (scratch > 0) {
        context.fillStyle = text;
        const y = scale.y(bytes + scratch), low = scale.y(bytes);
        for (let line = y; line < low; line += 4) context.fillRect(x, line, w, 1.5);
      }
    }
    const mark = (index, colour, dashes) => {
      context.strokeStyle = style(colour);
      context.lineWidth = 1.5;
      context.setLineDash(dashes);
      const x = scale.x(index + .5);
      context.beginPath(); context.moveTo(x, kTop); context.lineTo(x, plot.height - kBottom); context.stroke();
      context.setLineDash([]);
    };
    mark(profile.peak_entry, '--bound', [5, 4]);
    if (selected !== profile.peak_entry) mark(selected, '--mark', []);
  });
  levels(plot, scale, view.low, view.high, [['--bound', profile.base + profile.peak_bytes, [5, 4]]]);
};

const entryAt = (x) => {
  const width = $('map').clientWidth - kLeft - kRight;
  const column = columnsOf(width).find((c) => scaleOf().x(c.to) > x);
  return column ? column.entry : profile.entries.length - 1;
};

const hit = (event) => {
  const box = $('map').getBoundingClientRect();
  const index = entryAt(event.clientX - box.left);
  const bytes = scaleOf().a(event.clientY - box.top);
  let sum = profile.base;
  if (bytes < sum) return {index, text: `baseline: ${grouped(profile.base)} bytes`};
  for (const segment of liveAt(index)) {
    sum += segment.bytes;
    if (bytes < sum) return {index, text: describe(segment)};
  }
  const scratch = profile.entries[index].scratch_bytes || 0;
  return {index, text: scratch > 0 && bytes < sum + scratch ? `scratch of '${profile.entries[index].op}': ${grouped(scratch)} bytes` : ''};
};

const select = (index) => {
  selected = Math.min(Math.max(index, 0), profile.entries.length - 1);
  if (selected < view.begin || selected >= view.end)
    [view.begin, view.end] = move(view.begin, view.end, selected - (view.begin + view.end) / 2, 0, profile.entries.length);
  draw();
  showLive();
};

const connect = () => {
  const map = $('map'), tip = $('tip');
  let drag = null;
  const point = (event) => {
    const box = map.getBoundingClientRect();
    return [scaleOf().t(event.clientX - box.left), scaleOf().a(event.clientY - box.top)];
  };
  const zoom = (factor, t) => {
    const end = Math.max(profile.entries.length, 1);
    [view.begin, view.end] = lengthen(view.begin, view.end, factor, t, 0, end, Math.min(4, end));
    draw();
  };
  map.onpointermove = (event) => {
    if (drag) {
      [view.begin, view.end] = move(view.begin, view.end, drag.at[0] - point(event)[0], 0, profile.entries.length);
      drag.isMoved = true;
      tip.hidden = true;
      draw();
      return;
    }
    const {index, text} = hit(event);
    showTip(tip, describeEntry(index) + (text ? '\n' + text : ''), event);
  };
  map.onpointerdown = (event) => { drag = {at: point(event), isMoved: false}; map.setPointerCapture(event.pointerId); };
  map.onpointerup = (event) => {
    if (drag && !drag.isMoved) select(hit(event).index);
    drag = null;
  };
  map.onpointerleave = () => { tip.hidden = true; };
  map.addEventListener('wheel', (event) => {
    event.preventDefault();
    zoom(event.deltaY > 0 ? 1.25 : .8, point(event)[0]);
  }, {passive: false});
  map.onkeydown = (event) => {
    const middle = (view.begin + view.end) / 2;
    const actions = {
      ArrowRight: () => select(selected + 1), ArrowLeft: () => select(selected - 1),
      p: () => select(profile.peak_entry), P: () => select(profile.peak_entry),
      '+': () => zoom(.8, middle), '=': () => zoom(.8, middle), '-': () => zoom(1.25, middle),
      0: () => { view = all(); draw(); },
    };
    if (!actions[event.key]) return;
    event.preventDefault();
    actions[event.key]();
  };
  $('search').oninput = showLive;
};

showTotals();
showProfiles();
setTheme(isDark);
$('profiles-section').hidden = profiles.length < 2;
if (profiles.length > 0) {
  connect();
  let largest = 0;
  profiles.forEach((p, i) => { if (p.base + p.peak_bytes > profiles[largest].base + profiles[largest].peak_bytes) largest = i; });
  choose(largest);
} else {
  $('facts').textContent = 'There is no profile.';
}
document.documentElement.dataset.ready = 'yes';
