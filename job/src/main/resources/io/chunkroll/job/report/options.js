/* How the charts look: options of ECharts, made of runs, colours and the state of the page. */
const options = (function () {
  const COLOURS = 6;
  const SYMBOLS = ['circle', 'rect', 'triangle', 'diamond', 'arrow', 'pin'];
  const DASHES = ['solid', [9, 4], [3, 3]];
  const MARKERS = 9;
  const escapeHtml = echarts.format.encodeHTML;
  let look;

  function css(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  }

  function readColours() {
    look = {text: css('--text'), quiet: css('--quiet'), line: css('--line'), card: css('--card'), runs: [],
      font: getComputedStyle(document.body).fontFamily};
    for (let i = 0; i < COLOURS; i++) look.runs.push(css('--run-' + i));
  }

  const colour = group => look.runs[group % COLOURS];
  /* More groups than colours differ by their dashes. */
  const dash = group => DASHES[Math.floor(group / COLOURS) % DASHES.length];

  function clock(seconds) {
    const s = Math.round(seconds);
    const two = n => String(n).padStart(2, '0');
    return s < 3600 ? Math.floor(s / 60) + ':' + two(s % 60)
      : Math.floor(s / 3600) + ':' + two(Math.floor(s / 60) % 60) + ':' + two(s % 60);
  }

  /* Ticks people count in: 10 s, 1 min, 5 min, 1 h. */
  function tick(span, width) {
    const steps = [1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 43200, 86400];
    return steps.find(step => span / step <= width / 60) || 86400;
  }

  /* 2016-01-01 00:33 – 01:06 */
  function range(roll) {
    const time = text => text.replace('T', ' ').replace(/(\.\d+)?(Z|\+00(:00)?)$/, '').replace(/(:\d\d):00$/, '$1');
    const from = time(roll.from);
    const to = time(roll.to);
    if (!from) return '';
    return from + ' – ' + (from.slice(0, 10) === to.slice(0, 10) ? to.slice(11) : to);
  }

  function chunkAt(run, seconds) {
    return run.rolls.filter(roll => roll.at_s <= seconds).pop();
  }

  function base(state, max) {
    const time = state.axis === 'time';
    return {
      animation: false, aria: {enabled: false},
      textStyle: {fontFamily: look.font, color: look.text},
      grid: {left: 8, right: 18, top: 12, bottom: 8, containLabel: true},
      xAxis: {
        type: 'value', min: 0, max: max, interval: time && !state.zoom ? tick(max, state.width) : undefined,
        axisLabel: {formatter: time ? clock : curves.short, color: look.quiet, hideOverlap: true, showMaxLabel: false},
        axisLine: {lineStyle: {color: look.line}}, splitLine: {show: false}
      },
      yAxis: {type: 'value', min: 0, splitNumber: 4, splitLine: {lineStyle: {color: look.line}}, axisLabel: {color: look.quiet}},
      tooltip: {trigger: 'axis', confine: true, backgroundColor: look.card, borderColor: look.line,
        textStyle: {color: look.text, fontSize: 13}},
      series: []
    };
  }

  /* All of a run's values at one place, as plain lines of text: [marker's colour, text]. */
  function told(runs, kind, params) {
    const lines = new Map();
    params.forEach(function (param) {
      const [line, number] = param.seriesId.split('-');
      const found = lines.get(number) || {};
      found[line] = param.value;
      lines.set(number, found);
    });
    return [...lines].map(function ([number, found]) {
      const run = runs[number];
      const figures = kind.lines.map((line, l) => found[l] && [line, found[l]]).filter(Boolean)
        .sort((a, b) => (b[0].main ? 1 : 0) - (a[0].main ? 1 : 0))
        .map(([line, value]) => (line.name ? line.name + ' ' : '') + kind.unit(value[1]));
      const chunk = kind === curves.kinds.rate && chunkAt(run, Object.values(found)[0][2]);
      return {group: run.group, name: run.name, figures: figures.join(', '),
        chunk: chunk ? chunk.label + (range(chunk) ? ' (' + range(chunk) + ')' : '') : ''};
    });
  }

  function tooltip(runs, kind, state) {
    return function (params) {
      const where = params[0].axisValue;
      const head = state.axis === 'time' ? clock(where) + ' into the load' : curves.whole.format(where) + ' rows';
      return head + told(runs, kind, params).map(line => '<br><span style="color:' + colour(line.group) + '">■</span> '
        + escapeHtml(line.name) + ' <b>' + escapeHtml(line.figures) + '</b>'
        + (line.chunk ? '<br>&nbsp;&nbsp;&nbsp;' + escapeHtml(line.chunk) : '')).join('');
    };
  }

  function series(run, number, kind, l, state) {
    const line = kind.lines[l];
    const data = curves.points(run, kind, line, state.axis);
    const every = Math.max(1, Math.round(data.length / MARKERS));
    const offset = Math.round(every * (1 + run.group) / (COLOURS + 1));
    const marked = line.main && kind === curves.kinds.rate;
    return {
      id: l + '-' + number, name: run.group_name, type: 'line', data: data, color: colour(run.group),
      showSymbol: Boolean(marked), symbol: SYMBOLS[run.group % SYMBOLS.length],
      symbolSize: marked ? (value, param) => param.dataIndex % every === offset ? 10 : 0 : 4,
      z: line.main ? 3 : 2, zlevel: 0, /* without it ECharts 5.3 warns of the dot on hover */ emphasis: {disabled: true},
      lineStyle: {type: line.dotted ? [2, 3] : dash(run.group), width: line.faint ? 1 : marked ? 3 : 2,
        opacity: line.faint ? 0.3 : run.repeat > 1 ? 0.6 : 1}
    };
  }

  /* As many labels as have room; the lines all stay. */
  function marks(run, level, state, max) {
    const at = roll => state.axis === 'time' ? roll.at_s : roll.at_rows;
    const [from, to] = state.zoom || [0, max];
    const seen = run.rolls.filter(roll => at(roll) > from && at(roll) < to);
    const room = Math.max(state.width - 90, 90);
    const places = seen.map(at).concat([to]);
    const gap = Math.min(...places.slice(1).map((place, n) => place - places[n])) / (to - from) * room;
    const ranges = gap >= 175;
    const every = Math.ceil(seen.length * 64 / room);
    return {
      symbol: 'none', silent: true, animation: false,
      lineStyle: {color: colour(run.group), type: [5, 4], width: 1.5, opacity: 0.85},
      data: run.rolls.filter(roll => at(roll) > 0).map((roll, n) => ({
        xAxis: at(roll), name: roll.label,
        label: {show: n % every === 0, color: colour(run.group), fontSize: 11, lineHeight: 13, distance: 4 + 16 * level,
          formatter: () => roll.label + (ranges && range(roll) ? ' · ' + range(roll).replace(/\d{4}-\d\d-\d\d /g, '') : '')}
      }))
    };
  }

  function after(run, kind) {
    const seconds = run.points.elapsed_s;
    const last = seconds[seconds.length - 1];
    if (kind.load || !(last > run.load_end_s)) return undefined;
    return {silent: true, itemStyle: {color: colour(run.group), opacity: 0.1},
      label: {show: true, color: look.quiet, fontSize: 11, position: 'insideTop'},
      data: [[{xAxis: run.load_end_s, name: 'after the load'}, {xAxis: last}]]};
  }

  function zoom(state, max) {
    const [from, to] = state.zoom || [0, max];
    return {startValue: Math.min(from, max), endValue: Math.min(to, max)};
  }

  /* Bytes are read in powers of two, so their ticks are such. */
  function binary(axis, most) {
    axis.interval = 2 ** Math.ceil(Math.log2(most / 5));
    axis.max = Math.ceil(most / axis.interval) * axis.interval;
  }

  function most(runs, kind) {
    return Math.max(1, ...runs.map(run => Math.max(...kind.lines.map(
      line => curves.points(run, kind, line, 'time').reduce((max, point) => Math.max(max, point[1]), 0)))));
  }

  /* The averages fill the chart; a period in which a large batch was committed reaches beyond it. */
  function top(axis, runs) {
    const most = Math.max(1, ...runs.map(run => run.points.average.reduce((max, value) => Math.max(max, value || 0), 0))) * 1.1;
    const power = 10 ** Math.floor(Math.log10(most));
    axis.interval = power * [0.2, 0.5, 1, 2].find(step => most / (power * step) <= 6);
    axis.max = Math.ceil(most / axis.interval) * axis.interval;
  }

  function time(id, runs, state) {
    const kind = curves.kinds[id];
    const max = curves.end(runs, kind, state.axis);
    const option = base(state, max);
    const isRate = id === 'rate';
    let levels = 0;
    option.yAxis.axisLabel.formatter = kind.tick;
    if (isRate) top(option.yAxis, runs);
    if (kind.binary) binary(option.yAxis, most(runs, kind));
    option.tooltip.formatter = tooltip(runs, kind, state);
    runs.forEach(function (run, i) {
      kind.lines.forEach(function (line, l) {
        const drawn = series(run, i, kind, l, state);
        if (line.main && isRate && run.rolls.length > 1) {
          drawn.markLine = marks(run, run.repeat > 1 ? 0 : levels++, state, max);
        }
        if (line.main && state.axis === 'time') drawn.markArea = after(run, kind);
        option.series.push(drawn);
      });
    });
    option.dataZoom = [Object.assign({type: 'inside', zoomOnMouseWheel: 'ctrl', moveOnMouseMove: false, filterMode: 'none'},
      zoom(state, max))];
    const names = [...new Set(runs.map(run => run.group_name))];
    option.legend = {show: isRate, type: 'scroll', top: 0, left: 'center', data: names, itemHeight: 8, selected: state.selected,
      textStyle: {color: look.text, fontSize: 14}, pageTextStyle: {color: look.quiet}, inactiveColor: look.line};
    if (isRate) {
      option.grid.top = 40 + 16 * Math.min(Math.max(levels, 1), 4);
      option.grid.bottom = state.paper ? 8 : 50;
      option.dataZoom.push(Object.assign({type: 'slider', show: !state.paper, height: 24, bottom: 10, filterMode: 'none',
        labelFormatter: state.axis === 'time' ? clock : curves.short, showDataShadow: false,
        textStyle: {color: look.quiet}, borderColor: look.line, fillerColor: look.line + '66',
        moveHandleStyle: {color: look.line, opacity: 1},
        handleStyle: {borderColor: look.quiet}}, zoom(state, max)));
    }
    return option;
  }

  function bars(runs, tickWords, tooltipWords) {
    return {
      animation: false, textStyle: {fontFamily: look.font, color: look.text},
      grid: {left: 18, right: 18, top: 30, bottom: 4, containLabel: true},
      legend: {top: 0, textStyle: {color: look.text}, itemHeight: 8},
      tooltip: {trigger: 'axis', confine: true, axisPointer: {type: 'shadow'}, backgroundColor: look.card, borderColor: look.line,
        textStyle: {color: look.text, fontSize: 13}, formatter: tooltipWords},
      xAxis: {type: 'value', axisLabel: {formatter: tickWords, color: look.quiet, hideOverlap: true},
        splitLine: {lineStyle: {color: look.line}}},
      yAxis: {type: 'category', inverse: true, data: runs.map(run => run.name),
        axisLabel: {color: look.text, width: 110, overflow: 'truncate'}, axisLine: {lineStyle: {color: look.line}}, axisTick: {show: false}},
      series: []
    };
  }

  function sizes(runs) {
    const words = params => escapeHtml(runs[params[0].dataIndex].name) + params.map(
      param => '<br>' + param.marker + param.seriesName + ' <b>' + (param.value === null ? '–' : curves.bytes(param.value)) + '</b>').join('');
    const option = bars(runs, curves.bytes, words);
    binary(option.xAxis, Math.max(1, ...runs.map(run => Math.max(run.table_bytes + run.index_bytes, run.wal_bytes))));
    [['table', 'table_bytes', 'size'], ['indexes', 'index_bytes', 'size'], ['log', 'wal_bytes', 'log']].forEach(
      ([name, key, stack], i) => option.series.push({id: key, name: name, type: 'bar', stack: stack, color: look.runs[[0, 1, 5][i]],
        barMaxWidth: 16, data: runs.map(run => run[key])}));
    return option;
  }

  /* Each subtask a dot; all at 100 % is fair. */
  function subtasks(runs) {
    const option = bars(runs, v => v + ' %', undefined);
    const data = [];
    runs.forEach(function (run, i) {
      const mean = run.subtasks.reduce((sum, rows) => sum + rows, 0) / run.subtasks.length;
      run.subtasks.forEach(rows => data.push({value: [mean ? 100 * rows / mean : 0, i], rows: rows,
        itemStyle: {color: colour(run.group)}, symbol: SYMBOLS[run.group % SYMBOLS.length]}));
    });
    const far = Math.max(4, ...data.map(dot => 2 * Math.ceil(Math.abs(dot.value[0] - 100) * 0.6)));
    option.legend.show = false;
    option.grid.top = 12;
    option.xAxis.min = 100 - far;
    option.xAxis.max = 100 + far;
    option.xAxis.interval = far / 2;
    option.tooltip.trigger = 'item';
    option.tooltip.formatter = dot => escapeHtml(runs[dot.value[1]].name) + '<br><b>' + curves.whole.format(dot.data.rows)
      + ' rows</b>, ' + dot.value[0].toFixed(2) + ' % of the mean';
    option.series.push({id: 'subtasks', type: 'scatter', symbolSize: 12, data: data,
      markLine: {symbol: 'none', silent: true, label: {show: false}, lineStyle: {color: look.quiet, type: 'solid'}, data: [{xAxis: 100}]}});
    return option;
  }

  function of(id, runs, state) {
    return id === 'sizes' ? sizes(runs) : id === 'subtasks' ? subtasks(runs) : time(id, runs, state);
  }

  /* Whether there is anything to draw. */
  function isEmpty(id, runs) {
    if (id === 'subtasks') return !runs.some(run => run.subtasks.length);
    if (id === 'sizes') return !runs.some(run => run.table_bytes || run.index_bytes || run.wal_bytes);
    return !curves.kinds[id].lines.some(line => runs.some(run => run.points[line.key].some(value => value !== null)));
  }

  return {of, isEmpty, readColours, colour, told, clock};
}());
