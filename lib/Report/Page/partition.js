// The page of a partition: {"partition": the report, "ops", "saved" values and the
// "curve" of budgets}.
const {partition, curve} = data;
const opOf = new Map(data.ops.map((op) => [op.id, op]));
const isAgain = new Set(partition.recomputed);
const savedOps = new Set(data.saved.map((value) => value.by));

const showTotals = () => {
  addTotal('kept_bytes', 'kept bytes', partition.kept_bytes, 'for the backward function only');
  addTotal('saved_unique_bytes', 'saved bytes', partition.saved_unique_bytes, short(partition.saved_unique_bytes));
  if (partition.saved_output_bytes) addTotal('saved_output_bytes', 'saved forward outputs', partition.saved_output_bytes, 'free: the caller has them');
  addTotal('saved_primal_bytes', 'saved inputs', partition.saved_primal_bytes, plural(data.saved.filter((v) => v.by === undefined).length, 'input'));
  addTotal('recomputed_flops', 'FLOPs run again', partition.recomputed_flops,
    `${plural(partition.recomputed.length, 'op')}, ${percent(partition.recomputed_flops, data.flops) || '0.0 %'} of all`);
  addTotal('forward_peak', 'forward peak', partition.forward_peak, short(partition.forward_peak));
  addTotal('backward_peak', 'backward peak', partition.backward_peak, short(partition.backward_peak));
  addTotal('pair_peak', 'peak of the pair', partition.pair_peak, short(partition.pair_peak));
  if (partition.cut_capacity || partition.flow)
    addTotal('cut_capacity', 'cut', partition.cut_capacity, partition.cut_capacity === partition.flow ? 'no cut is smaller' : `flow ${grouped(partition.flow)}`);
};

const showTables = () => {
  $('count').textContent = `${grouped(partition.saved_unique_bytes + partition.saved_primal_bytes)} bytes`;
  const saved = [...data.saved].sort((a, b) => b.bytes - a.bytes);
  fill('saved', saved, (v) => rowOf([[v.id, 'long'], [grouped(v.bytes), 'n'], [v.by === undefined ? '(input)' : `${v.by} ${opOf.get(v.by).name}`, 'long'],
    [v.storage, 'long'], [grouped(v.storage_bytes), 'n']], {'data-name': v.id}));
  fill('again', partition.recomputed.map((id) => opOf.get(id)), (op) => rowOf([[op.id, 'long'], [op.name, 'long'], [grouped(op.flops), 'n'], [op.location || '', 'long']]));
  fill('remarks', partition.remarks, (remark) => rowOf([[remark.op || '', 'long'], [remark.message, 'text']]));
  fill('budgets', curve, (p) => rowOf([[grouped(p.peak_bytes), 'n'], [grouped(p.extra_flops), 'n'], [percent(p.extra_flops, data.flops) || '0.0 %', 'n'], [grouped(p.repeats), 'n']]));
};

// ---- Both functions, side by side, with the saved values between them ----

const kMostOps = 400, kRow = 18;
const svg = (tag, attributes, text) => {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== undefined) element.textContent = text;
  return element;
};

// Of functions with many ops only those that make, use or recompute saved values
// are drawn, and at most kMostOps of each function.
const isLarge = Math.max(partition.forward.length, partition.backward.length) > kMostOps;
const users = new Set(data.saved.filter((v) => v.by !== undefined).flatMap((v) => v.users));
const isDrawn = (id) => !isLarge || isAgain.has(id) || savedOps.has(id) || users.has(id);
const drawnForward = partition.forward.filter(isDrawn), drawnBackward = [...partition.backward].reverse().filter(isDrawn);

const showFunctions = () => {
  const width = $('functions').clientWidth - 24;
  const gap = Math.round(Math.max(80, Math.min(260, width * .3))), box = Math.min(440, (width - gap) / 2);
  const forward = drawnForward.slice(0, kMostOps), backward = drawnBackward.slice(0, kMostOps);
  const rowsOf = (ids) => new Map(ids.map((id, row) => [id, row]));
  const forwardRow = rowsOf(forward), backwardRow = rowsOf(backward);
  const y = (row) => 24 + row * kRow;
  const picture = svg('svg', {width: 2 * box + gap, height: y(Math.max(forward.length, backward.length) + 1)});
  const draw = (group, title) => { group.prepend(svg('title', {}, title)); picture.append(group); };
  const cut = (text, pixels) => text.length * 6.2 > pixels ? text.slice(0, Math.max(1, Math.floor(pixels / 6.2) - 1)) + '…' : text;
  const left = drawnForward.length - forward.length, right = drawnBackward.length - backward.length;
  picture.append(svg('text', {x: 0, y: 12, 'font-weight': 'bold'}, cut(`forward, downwards${left ? `, ${left} more` : ''}`, box)),
    svg('text', {x: box + gap, y: 12, 'font-weight': 'bold'}, cut(`backward, upwards${right ? `, ${right} more` : ''}`, box)));
  // Edges come first, so that the boxes cover them.
  for (const value of data.saved)
    for (const user of value.users) {
      if (value.by === undefined || !forwardRow.has(value.by) || !backwardRow.has(user)) continue;
      const x1 = box, x2 = box + gap, y1 = y(forwardRow.get(value.by)) + 7, y2 = y(backwardRow.get(user)) + 7;
      const group = svg('g', {class: 'saved'}), text = `${value.id}: ${grouped(value.bytes)} bytes`;
      const share = Math.min(1, value.bytes / Math.max(partition.saved_unique_bytes, 1));
      group.append(svg('path', {d: `M${x1} ${y1} C${x1 + gap / 2} ${y1} ${x2 - gap / 2} ${y2} ${x2} ${y2}`, 'stroke-width': (1 + 5 * share).toFixed(1)}),
        svg('text', {x: x1 + 4, y: y1 - 1}, cut(text, gap - 8)));
      draw(group, text);
    }
  const drawBoxes = (ids, x, style) => ids.forEach((id, row) => {
    const op = opOf.get(id), group = svg('g', {class: 'box'});
    group.append(svg('rect', {x, y: y(row), width: box, height: kRow - 3, class: isAgain.has(id) ? 'again' : style}),
      svg('text', {x: x + 4, y: y(row) + 11}, cut(op.name && op.name !== op.id ? `${op.id}  ${op.name}` : op.id, box - 8)));
    draw(group, `${op.id}: ${op.name}${op.location ? `, ${op.location}` : ''}${isAgain.has(id) ? ', computed again' : ''}`);
  });
  drawBoxes(forward, 0, 'forward');
  drawBoxes(backward, box + gap, 'backward');
  $('functions').replaceChildren(picture);
};

// ---- The cost of budgets ----

const percentOf = (point) => 100 * point.extra_flops / Math.max(data.flops, 1);
const redraw = () => {
  const plot = begin($('map'));
  const scale = scales(plot.width, plot.height, view.low, view.high);
  axes(plot, scale, view.low, view.high, {x: 'peak, bytes', y: 'additional FLOPs', isBytesX: true, isBytesY: false,
    formatX: short, formatY: (n) => `${Number(n.toPrecision(3))} %`, smallestY: 1e-6});
  const {context} = plot;
  context.strokeStyle = context.fillStyle = style('--mark');
  context.lineWidth = 2;
  context.beginPath();
  for (const point of curve) context.lineTo(scale.x(point.peak_bytes), scale.y(percentOf(point)));
  context.stroke();
  for (const point of curve) {
    context.beginPath();
    context.arc(scale.x(point.peak_bytes), scale.y(percentOf(point)), 3.5, 0, 2 * Math.PI);
    context.fill();
  }
};

const showCurve = () => {
  $('curve-section').hidden = curve.length === 0;
  if (curve.length === 0) return;
  const peaks = curve.map((p) => p.peak_bytes), least = Math.min(...peaks), most = Math.max(...peaks);
  const margin = Math.max((most - least) * .04, 1);
  view = {begin: least - margin, end: most + margin, low: 0, high: Math.max(...curve.map(percentOf), .1) * 1.06};
  $('map').onpointermove = (event) => {
    const box = $('map').getBoundingClientRect(), scale = scales(box.width, box.height, view.low, view.high);
    const distance = (p) => Math.hypot(scale.x(p.peak_bytes) - event.clientX + box.left, scale.y(percentOf(p)) - event.clientY + box.top);
    const near = curve.reduce((a, b) => distance(b) < distance(a) ? b : a);
    showTip(distance(near) > 24 ? '' : `${grouped(near.peak_bytes)} bytes: ${grouped(near.extra_flops)} FLOPs more (${percentOf(near).toFixed(1)} %), ${plural(near.repeats, 'op')} run again`, event);
  };
  $('map').onpointerleave = () => { $('tip').hidden = true; };
  draw();
};
const setPrinting = () => {};

$('name').textContent = partition.graph || 'joint graph';
$('summary').textContent = `${grouped(partition.saved_unique_bytes)} bytes are saved for the backward function, ${plural(partition.recomputed.length, 'op')} run again; ` +
  `peak of the pair ${grouped(partition.pair_peak)} bytes.`;
showLegend([[{kind: 'area', style: 'forward'}, 'forward'], [{kind: 'area', style: 'backward'}, 'backward'], [{kind: 'area', style: 'again'}, 'in both, computed again'],
  [{kind: 'line', colour: '--bound'}, 'a saved value; wider, the more bytes']]);
showTotals();
showTables();
setTheme(isDark);
showFunctions();
window.addEventListener('resize', showFunctions);
showCurve();
document.documentElement.dataset.ready = 'yes';
