'use strict';
(function () {
  const runs = JSON.parse(document.getElementById('data').textContent);
  const ids = ['rate', 'rows', 'flush'];
  const colours = 6;
  const whole = new Intl.NumberFormat('en-US', {maximumFractionDigits: 0});
  const escapeHtml = echarts.format.encodeHTML;
  let charts = [];
  let palette;
  let font;
  /* The charts' width while the page is printed. */
  let paper;

  function css(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  }

  function readPalette() {
    font = getComputedStyle(document.body).fontFamily;
    palette = {text: css('--text'), quiet: css('--quiet'), line: css('--line'), card: css('--card'), runs: []};
    for (let i = 0; i < colours; i++) palette.runs.push(css('--run-' + i));
  }

  const colour = i => palette.runs[i % colours];
  /* More runs than colours differ by their dashes. */
  const dash = i => ['solid', 'dashed', 'dotted'][Math.floor(i / colours) % 3];

  function clock(seconds) {
    const s = Math.round(seconds);
    const two = n => String(n).padStart(2, '0');
    return s < 3600 ? Math.floor(s / 60) + ':' + two(s % 60)
      : Math.floor(s / 3600) + ':' + two(Math.floor(s / 60) % 60) + ':' + two(s % 60);
  }

  function short(value) {
    if (value >= 1e9) return value / 1e9 + ' G';
    if (value >= 1e6) return value / 1e6 + ' M';
    return value >= 1e3 ? value / 1e3 + ' k' : String(value);
  }

  const duration = ms => ms >= 1000 ? ms / 1000 + ' s' : ms + ' ms';
  const longest = Math.max(1, ...runs.map(run => run.rows.length ? run.rows[run.rows.length - 1][0] : 0));

  /* Ticks people count in: 10 s, 1 min, 5 min, 1 h. */
  function tick(width) {
    const steps = [1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 43200, 86400];
    return steps.find(step => longest / step <= width / 60) || 86400;
  }

  function tooltip(value, periods) {
    return function (params) {
      const lines = new Map();
      params.forEach(function (param) {
        const run = runs[param.seriesId.split('-')[1]];
        const line = lines.get(run) || {marker: param.marker};
        line[param.seriesId.split('-')[0]] = param.value[1];
        lines.set(run, line);
      });
      let html = clock(params[0].axisValue) + ' into the load';
      lines.forEach(function (line, run) {
        const main = line.main === undefined ? line.period : line.main;
        html += '<br>' + line.marker + escapeHtml(run.name) + ' <b>' + value(main) + '</b>';
        if (periods && line.period !== undefined) html += ' (period ' + value(line.period) + ')';
      });
      return html;
    };
  }

  function base(element, format, value, periods) {
    return {
      animation: false,
      textStyle: {fontFamily: font, color: palette.text},
      grid: {left: 8, right: 16, top: 12, bottom: 8, containLabel: true},
      xAxis: {
        type: 'value', min: 0, max: longest, interval: tick(element.clientWidth),
        axisLabel: {formatter: clock, color: palette.quiet, hideOverlap: true, showMaxLabel: false},
        axisLine: {lineStyle: {color: palette.line}}, splitLine: {show: false}
      },
      yAxis: {
        type: 'value', min: 0, splitNumber: 4,
        axisLabel: {formatter: format, color: palette.quiet}, splitLine: {lineStyle: {color: palette.line}}
      },
      tooltip: {
        trigger: 'axis', confine: true, backgroundColor: palette.card, borderColor: palette.line,
        textStyle: {color: palette.text, fontSize: 13}, formatter: tooltip(value, periods)
      },
      series: []
    };
  }

  function line(id, i, data, style) {
    return {
      id: id + '-' + i, name: runs[i].name, type: 'line', data: data, showSymbol: false, sampling: 'lttb',
      color: colour(i), lineStyle: Object.assign({type: dash(i)}, style)
    };
  }

  /* As many labels as have room; the lines all stay. */
  function marks(i, width, level) {
    const every = Math.ceil(runs[i].rolls.length * 70 / Math.max(width - 80, 70));
    return {
      symbol: 'none', silent: true, animation: false,
      lineStyle: {color: colour(i), type: [5, 4], width: 1.5, opacity: 0.8},
      label: {color: colour(i), fontSize: 12, distance: 5 + 16 * level, formatter: mark => mark.name},
      data: runs[i].rolls.map((roll, n) => ({xAxis: roll.at, name: roll.label, label: {show: n % every === 0}}))
    };
  }

  function rateOption(element) {
    const option = base(element, short, value => whole.format(value) + ' rows/s', true);
    let levels = 0;
    runs.forEach(function (run, i) {
      const faint = line('period', i, run.periods, {width: 1, opacity: 0.3});
      const thick = line('main', i, run.average, {width: 3});
      thick.z = 3;
      if (run.rolls.length) thick.markLine = marks(i, element.clientWidth, levels++);
      option.series.push(faint, thick);
    });
    option.legend = {
      type: 'scroll', top: 0, left: 'center', data: runs.map(run => run.name), icon: 'roundRect', itemHeight: 6,
      textStyle: {color: palette.text, fontSize: 14}, pageTextStyle: {color: palette.quiet}, inactiveColor: palette.line
    };
    option.grid.top = 38 + 16 * Math.max(levels, 1);
    option.grid.bottom = 50;
    option.dataZoom = [
      {type: 'inside', zoomOnMouseWheel: 'ctrl', moveOnMouseMove: false, filterMode: 'none'},
      {type: 'slider', show: !paper, height: 22, bottom: 10, filterMode: 'none', labelFormatter: clock, showDataShadow: false,
        textStyle: {color: palette.quiet}, borderColor: palette.line,
        fillerColor: palette.line + '66', handleStyle: {borderColor: palette.quiet}}
    ];
    return option;
  }

  function smallOption(element, field, format, value) {
    const option = base(element, format, value, false);
    runs.forEach((run, i) => option.series.push(line('main', i, run[field], {width: 2})));
    return option;
  }

  function draw() {
    document.documentElement.classList.toggle('printed', Boolean(paper));
    readPalette();
    document.querySelectorAll('.key').forEach(key => key.style.setProperty('--run', colour(Number(key.dataset.run))));
    charts.forEach(chart => chart.dispose());
    charts = ids.map(function (id) {
      const element = document.getElementById(id);
      return echarts.init(element, null, {renderer: 'svg', width: paper});
    });
    const [rate, rows, flush] = charts;
    rate.setOption(rateOption(rate.getDom()));
    rows.setOption(smallOption(rows.getDom(), 'rows', short, value => whole.format(value) + ' rows'));
    flush.setOption(smallOption(flush.getDom(), 'flush', duration, value => duration(Math.round(value))));
  }

  if (!runs.some(run => run.rolls.length) && !document.querySelector('#chunks table')) {
    document.getElementById('chunks').hidden = true;
  }
  draw();
  let pending;
  window.addEventListener('resize', function () {
    clearTimeout(pending);
    pending = setTimeout(draw, 150);
  });
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
  window.addEventListener('beforeprint', function () {
    paper = 680; // fits A4 and letter between their margins
    draw();
  });
  window.addEventListener('afterprint', function () {
    paper = undefined;
    draw();
  });
}());
