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
  for (const pair of pairs) {
    addTotal('forward_peak_bytes', 'forward peak', pair.forward_peak_bytes, short(pair.forward_peak_bytes));
    addTotal('backward_peak_bytes', 'backward peak', pair.backward_peak_bytes, 'with the baseline');
    addTotal('baseline_bytes', 'baseline', pair.baseline_bytes, plural(pair.baseline.length, 'forward output'));
    addTotal('peak_bytes', 'peak of the pair', pair.peak_bytes, short(pair.peak_bytes));
  }
  if (pairs.length > 0 || profiles.length === 0) return;
  const largest = profiles.reduce((a, b) => b.peak_bytes > a.peak_bytes ? b : a);
  addTotal('peak_bytes', profiles.length > 1 ? 'largest peak' : 'peak', largest.peak_bytes, short(largest.peak_bytes));
  for (const space of largest.spaces.filter((s) => s.space !== '' && s.peak_bytes > 0))
    addTotal(`peak_bytes[${space.space}]`, `peak of space '${space.space}'`, space.peak_bytes, short(space.peak_bytes));
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

const chooseProfile = (index) => {
  profile = profiles[index];
  makeSegments();
  top = Math.max(profile.base + profile.peak_bytes, 1);
  view = all();
  selected = profile.peak_entry;
  const peak = profile.base + profile.peak_bytes;
  $('name').textContent = profile.title;
  $('summary').textContent = `Peak ${grouped(peak)} bytes, ${whenOf(profile, profile.peak_entry)}.`;
  $('facts').textContent = (profile.peak_formula ? `The peak is ${profile.peak_formula}, under the hints given. ` : '') +
    `Held: ${profile.held.join(', ') || 'nothing'}` + (profile.excluded.length ? `; not counted: ${profile.excluded.join(', ')}` : '') +
    (profile.ties ? '; results take the place of operands that die.' : '.');
  const entries = [[{kind: 'area', colour: colourOf(1)}, 'an allocation, stacked in the order in which they are made'],
    [{kind: 'area', colour: 'var(--line)'}, 'too thin to see'],
    [{kind: 'line', colour: '--bound', dashed: true}, `peak ${grouped(peak)}`, {'data-level': 'peak', 'data-value': peak}]];
  if (profile.entries.some((entry) => entry.scratch_bytes)) entries.splice(2, 0, [{kind: 'area', style: 'hatch'}, 'scratch']);
  if (profile.base > 0) entries.splice(2, 0, [{kind: 'area', colour: 'var(--soft)'}, `the baseline, ${grouped(profile.base)}`]);
  showLegend(entries);
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
  const share = (bytes) => percent(bytes, entry.live_bytes);
  const rows = shown.slice(0, kMostRows).map(({allocation: a, bytes}) => {
    return rowOf([[grouped(bytes), 'n'], [share(bytes), 'n'], [a.id, 'long'], [a.origin], [a.op || '', 'long'], [timesOf(a)], [a.location || '', 'long']], {'data-name': a.id});
  });
  const addRow = (bytes, name, op) => rows.push(rowOf([[grouped(bytes), 'n'], [share(bytes), 'n'], [name], [''], [op], [''], ['']], {'data-name': name}));
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
  axes(plot, scale, view.low, view.high, {x: 'entries (after each allocation and release)', y: 'live bytes'});
  const grey = style('--line'), text = style('--text');
  inside(plot, (context) => {
    // Segments that are live, kept from column to column.
    let next = 0, live = [];
    for (const {from, to, entry} of columnsOf(plot.width - plot.left - kRight)) {
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
          context.fillStyle = colourOf(segment.number);
          context.fillRect(x, y, w, scale.y(bytes) - y);
          thin = bytes += segment.bytes;
        } else {
          bytes += segment.bytes;
        }
      }
      flush();
      const scratch = profile.entries[entry].scratch_bytes || 0;
      if (scratch > 0) {
        const y = scale.y(bytes + scratch);
        hatch(context, x, y, w, scale.y(bytes) - y, text);
      }
    }
  });
  if (selected !== profile.peak_entry) markTime(plot, scale, selected, '--mark', [], '');
  markTime(plot, scale, profile.peak_entry, '--bound', [5, 4], 'peak');
  levels(plot, scale, view.low, view.high, [['--bound', profile.base + profile.peak_bytes, [5, 4]]]);
};

const entryAt = (x) => {
  const width = $('map').clientWidth - leftOf($('map').clientWidth) - kRight;
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
  const length = () => Math.max(profile.entries.length, 1);
  connectMap({
    pan: ([from], [to]) => { [view.begin, view.end] = move(view.begin, view.end, from - to, 0, length()); },
    zoom: (factor, [t]) => { [view.begin, view.end] = lengthen(view.begin, view.end, factor, t, 0, length(), Math.min(4, length())); },
    showAll: () => { view = all(); },
    tap: (event) => select(hit(event).index),
    tipAt: (event) => { const {index, text} = hit(event); return describeEntry(index) + (text ? '\n' + text : ''); },
    keys: {ArrowRight: () => select(selected + 1), ArrowLeft: () => select(selected - 1),
      p: () => select(profile.peak_entry), P: () => select(profile.peak_entry)},
  });
  $('search').oninput = showLive;
};

showTotals();
const choose = makeChooser('profiles', profiles, (profile) => [
  [profile.title], [grouped(profile.base + profile.peak_bytes), 'n'], [whenOf(profile, profile.peak_entry)],
  [grouped(profile.allocations.length), 'n'], [grouped(profile.entries.length), 'n'],
], (profile) => profile.title, chooseProfile);
setTheme(isDark);
if (profiles.length > 0) {
  connect();
  let largest = 0;
  profiles.forEach((p, i) => { if (p.base + p.peak_bytes > profiles[largest].base + profiles[largest].peak_bytes) largest = i; });
  choose(largest);
} else {
  $('summary').textContent = 'There is no profile.';
}
document.documentElement.dataset.ready = 'yes';
