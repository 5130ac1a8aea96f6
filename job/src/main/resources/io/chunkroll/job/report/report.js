/* The page: draws what is in its data, and draws it again when there is newer data, with zoom, axis and hidden curves as they are. */
const chunkrollReport = (function () {
  const IDS = ['rate', 'flush', 'cpu', 'disk', 'wal', 'rows', 'growth', 'sizes', 'subtasks'];
  const FILE_WIDTH = 1200;
  const FILE_HEIGHT = 640;
  const PAPER_WIDTH = 700; /* fits A4 and letter between their margins; all but the first chart go in pairs */
  const PAPER_HALF = 340;
  const TABLE_ROWS = 2000;
  const root = document.documentElement;
  const state = {axis: 'time', zoom: null, selected: {}, paper: false};
  const charts = new Map();
  let data;

  const part = (id, what) => document.querySelector('#' + id + '-card ' + what);

  function stateFor(width) {
    return Object.assign({}, state, {width: width});
  }

  function isDark() {
    return root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  }

  function chart(id) {
    if (!charts.has(id)) {
      const made = echarts.init(document.getElementById(id), null, {renderer: 'svg', width: state.paper ? id === 'rate' ? PAPER_WIDTH : PAPER_HALF : undefined});
      made.on('datazoom', () => zoomed(id, made));
      made.on('legendselectchanged', event => { state.selected = event.selected; draw(); });
      charts.set(id, made);
    }
    return charts.get(id);
  }

  function draw() {
    root.classList.toggle('printed', state.paper);
    options.readColours();
    document.querySelectorAll('[data-group]').forEach(
      element => element.style.setProperty('--run', options.colour(Number(element.dataset.group))));
    IDS.forEach(function (id) {
      const empty = options.isEmpty(id, data.runs);
      document.getElementById(id + '-card').closest('section').hidden = empty && id !== 'rate';
      if (!empty || id === 'rate') {
        const made = chart(id);
        made.setOption(options.of(id, data.runs, stateFor(made.getWidth())), {notMerge: true});
      }
    });
    document.querySelectorAll('[data-axis]').forEach(
      button => button.setAttribute('aria-pressed', String(button.dataset.axis === state.axis)));
    document.getElementById('theme').setAttribute('aria-pressed', String(isDark()));
  }

  function redraw() {
    charts.forEach(made => made.dispose());
    charts.clear();
    draw();
  }

  const end = () => curves.end(data.runs, curves.kinds.rate, state.axis);

  function zoomed(id, made) {
    const window = made.getOption().dataZoom[0];
    const whole = curves.end(data.runs, curves.kinds[id], state.axis);
    const isWhole = window.startValue <= 0 && window.endValue >= whole;
    setZoom(isWhole ? null : [window.startValue, window.endValue]);
  }

  let pending;
  function setZoom(zoom) {
    if (JSON.stringify(zoom) === JSON.stringify(state.zoom)) return;
    state.zoom = zoom;
    clearTimeout(pending);
    pending = setTimeout(draw, 60);
  }

  function zoomBy(factor) {
    const [from, to] = state.zoom || [0, end()];
    const half = (to - from) / 2 * factor;
    const middle = (from + to) / 2;
    const start = Math.max(0, middle - half);
    const stop = Math.min(end(), middle + half);
    setZoom(start <= 0 && stop >= end() ? null : [start, stop]);
  }

  function setAxis(axis) {
    if (axis !== state.axis) {
      state.axis = axis;
      state.zoom = null;
      draw();
    }
  }

  function save(name, blob) {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob);
    link.download = 'chunkroll-' + name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }

  /* The chart as it is shown, on white, with a title. */
  function svg(id) {
    root.classList.add('printed');
    options.readColours();
    const option = options.of(id, data.runs, Object.assign({}, state, {width: FILE_WIDTH, paper: true}));
    option.backgroundColor = '#ffffff';
    option.title = {text: part(id, '').closest('section').querySelector('h2').textContent, left: 12, top: 10, textStyle: {fontSize: 18}};
    option.grid.top = (option.grid.top || 12) + 44;
    if (option.legend) option.legend.top = 40;
    const place = document.createElement('div');
    const made = echarts.init(place, null, {renderer: 'svg', width: FILE_WIDTH, height: FILE_HEIGHT});
    made.setOption(option);
    const drawn = place.querySelector('svg');
    drawn.setAttribute('viewBox', '0 0 ' + FILE_WIDTH + ' ' + FILE_HEIGHT);
    const text = new XMLSerializer().serializeToString(drawn); /* escapes whatever a run is called */
    made.dispose();
    root.classList.toggle('printed', state.paper);
    options.readColours();
    return text;
  }

  function savePng(id) {
    const image = new Image();
    image.onload = function () {
      const canvas = document.createElement('canvas');
      canvas.width = FILE_WIDTH * 2;
      canvas.height = FILE_HEIGHT * 2;
      canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
      canvas.toBlob(blob => save(id + '.png', blob), 'image/png');
    };
    image.src = 'data:image/svg+xml;charset=utf-8,' + encodeURIComponent(svg(id));
  }

  const saves = {
    csv: id => save(id + '.csv', new Blob(['\ufeff' + curves.csv(curves.table(data.runs, id))], {type: 'text/csv;charset=utf-8'})),
    svg: id => save(id + '.svg', new Blob([svg(id)], {type: 'image/svg+xml'})),
    png: savePng
  };

  function fillTable(id, place) {
    const rows = curves.table(data.runs, id);
    const table = document.createElement('table');
    rows.slice(0, TABLE_ROWS + 1).forEach(function (cells, i) {
      const row = table.insertRow();
      cells.forEach(function (cell) {
        const made = document.createElement(i ? 'td' : 'th');
        made.textContent = typeof cell === 'number' ? cell.toLocaleString('en-US') : cell === null ? '–' : cell;
        row.append(made);
      });
    });
    place.replaceChildren(table);
    if (rows.length > TABLE_ROWS + 1) place.append('The first ' + TABLE_ROWS + ' of ' + (rows.length - 1) + ' rows; the CSV has all.');
  }

  /* Arrows go from value to value, and say it. */
  const places = {};
  function walk(id, step) {
    const made = chart(id);
    const drawn = made.getOption().series;
    const main = drawn.findIndex(line => line.data.length && line.z === 3);
    if (main < 0) return;
    const points = drawn[main].data;
    places[id] = Math.min(points.length - 1, Math.max(0, (places[id] === undefined ? -step : places[id]) + step));
    const point = points[places[id]];
    made.dispatchAction({type: 'showTip', seriesIndex: main, dataIndex: places[id]});
    const near = drawn.filter(line => line.data.length).map(line => ({seriesId: line.id, value: line.data.reduce(
      (best, next) => Math.abs(next[0] - point[0]) < Math.abs(best[0] - point[0]) ? next : best)}));
    document.getElementById('spoken').textContent = [state.axis === 'time' ? options.clock(point[0]) : point[0] + ' rows'].concat(
      options.told(data.runs, curves.kinds[id], near).map(line => line.name + ' ' + line.figures + ' ' + line.chunk)).join('; ');
  }

  function onKey(event, id) {
    const big = event.shiftKey ? 10 : 1;
    const keys = {ArrowRight: () => walk(id, big), ArrowLeft: () => walk(id, -big), '+': () => zoomBy(0.5), '-': () => zoomBy(2),
      '0': () => setZoom(null), Escape: () => chart(id).dispatchAction({type: 'hideTip'})};
    if (keys[event.key] && curves.kinds[id] && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      keys[event.key]();
    }
  }

  function setTheme(theme) {
    root.dataset.theme = theme;
    try { localStorage.setItem('chunkroll-theme', theme); } catch (e) { /* A page in a sandbox forgets. */ }
    draw();
  }

  function listen() {
    try {
      const theme = localStorage.getItem('chunkroll-theme');
      if (theme === 'dark' || theme === 'light') root.dataset.theme = theme;
    } catch (e) { /* As above. */ }
    document.getElementById('theme').addEventListener('click', () => setTheme(isDark() ? 'light' : 'dark'));
    document.querySelectorAll('[data-axis]').forEach(button => button.addEventListener('click', () => setAxis(button.dataset.axis)));
    document.querySelectorAll('[data-zoom]').forEach(button => button.addEventListener('click', function () {
      if (button.dataset.zoom === 'all') setZoom(null);
      else zoomBy(button.dataset.zoom === 'in' ? 0.5 : 2);
    }));
    document.querySelectorAll('[data-save]').forEach(
      button => button.addEventListener('click', () => saves[button.dataset.save](button.dataset.chart)));
    IDS.forEach(function (id) {
      document.getElementById(id).addEventListener('keydown', event => onKey(event, id));
      part(id, 'details').addEventListener('toggle', event => event.target.open && fillTable(id, part(id, '.rows')));
    });
    let resizing;
    addEventListener('resize', function () {
      clearTimeout(resizing);
      resizing = setTimeout(redraw, 150);
    });
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
    addEventListener('beforeprint', () => { state.paper = true; redraw(); });
    addEventListener('afterprint', () => { state.paper = false; redraw(); });
  }

  /*
   * Shows this data; may be called again and again. `parts`, if there are any, are pieces of the page that this program made,
   * with all text in them escaped: the id after "part-", and its HTML.
   */
  function render(newer) {
    if (newer.format_version !== 1) throw new Error('This page shows data of format version 1, not ' + newer.format_version);
    data = newer;
    Object.entries(newer.parts || {}).forEach(function ([id, html]) {
      const place = document.getElementById('part-' + id);
      if (place && place.innerHTML !== html) place.innerHTML = html;
    });
    document.getElementById('chunks').hidden = !document.querySelector('#chunks table');
    draw();
  }

  listen();
  render(JSON.parse(document.getElementById('data').textContent));
  return {render: render, state: state, chart: chart, svg: svg};
}());
