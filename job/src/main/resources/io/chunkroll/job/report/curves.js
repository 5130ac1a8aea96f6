'use strict';
/* What each chart shows of the page's data, as points to draw and as CSV. */
const curves = (function () {
  const rate = {unit: v => whole.format(v) + ' rows/s', tick: short};
  const kinds = {
    rate: Object.assign({load: true, lines: [
      {key: 'rows_per_s', name: 'period', faint: true}, {key: 'average', name: '', main: true}]}, rate),
    flush: {load: true, unit: millis, tick: millis, lines: [
      {key: 'flush_p50_ms', name: 'median', dotted: true}, {key: 'flush_p99_ms', name: 'p99', main: true}]},
    cpu: {unit: v => v.toFixed(2) + ' cores', tick: v => String(v), lines: [
      {key: 'server_cpu', name: 'server', main: true, counter: true},
      {key: 'client_cpu', name: 'client', dotted: true, counter: true}]},
    disk: {binary: true, unit: v => bytes(v) + '/s', tick: v => bytes(v) + '/s', lines: [
      {key: 'disk_write_bytes', name: '', main: true, counter: true}]},
    wal: {binary: true, unit: bytes, tick: bytes, lines: [{key: 'wal_bytes', name: '', main: true}]},
    growth: {binary: true, unit: bytes, tick: bytes, lines: [
      {key: 'table_bytes', name: 'table', main: true}, {key: 'index_bytes', name: 'indexes', dotted: true}]},
    rows: {load: true, unit: v => whole.format(v) + ' rows', tick: short, lines: [
      {key: 'rows', name: '', main: true}]}
  };
  /* A counter's slope is taken over so many periods, for the kernel counts CPU time in hundredths of a second. */
  const SLOPE = 3;
  const whole = new Intl.NumberFormat('en-US', {maximumFractionDigits: 0});

  function three(value) {
    return String(Number(value.toPrecision(3)));
  }

  function short(value) {
    const unit = [[1e9, ' G'], [1e6, ' M'], [1e3, ' k']].find(u => Math.abs(value) >= u[0]);
    return unit ? three(value / unit[0]) + unit[1] : three(value);
  }

  function bytes(value) {
    const unit = [[2 ** 40, ' TiB'], [2 ** 30, ' GiB'], [2 ** 20, ' MiB'], [2 ** 10, ' KiB']].find(u => Math.abs(value) >= u[0]);
    return unit ? three(value / unit[0]) + unit[1] : three(value) + ' B';
  }

  function millis(value) {
    return value >= 1000 ? three(value / 1000) + ' s' : three(value) + ' ms';
  }

  function slope(values, seconds) {
    return values.map(function (value, i) {
      const from = Math.max(0, i - SLOPE);
      const before = i ? values[from] : 0;
      const span = seconds[i] - (i ? seconds[from] : 0);
      return value === null || before === null || span <= 0 ? null : Math.max(0, (value - before) / span);
    });
  }

  function values(run, line) {
    return line.counter ? slope(run.points[line.key], run.points.elapsed_s) : run.points[line.key];
  }

  function isShown(run, kind, axis, i) {
    return run.points.elapsed_s[i] <= run.load_end_s || (!kind.load && axis === 'time');
  }

  /* [x, y, elapsed seconds]; x is seconds or rows. */
  function points(run, kind, line, axis) {
    const x = axis === 'time' ? run.points.elapsed_s : run.points.rows;
    const found = [];
    values(run, line).forEach(function (value, i) {
      if (value !== null && isShown(run, kind, axis, i)) found.push([x[i], value, run.points.elapsed_s[i]]);
    });
    return found;
  }

  function end(runs, kind, axis) {
    return Math.max(1, ...runs.map(function (run) {
      const n = run.points.elapsed_s.length;
      for (let i = n - 1; i >= 0; i--) {
        if (isShown(run, kind, axis, i)) return axis === 'time' ? run.points.elapsed_s[i] : run.points.rows[i];
      }
      return 0;
    }));
  }

  /* Rows of cells: a run's name, then what the chart is made of. */
  function table(runs, id) {
    if (id === 'sizes') {
      return [['run', 'table_bytes', 'index_bytes', 'wal_bytes']].concat(
        runs.map(run => [run.name, run.table_bytes, run.index_bytes, run.wal_bytes]));
    }
    if (id === 'subtasks') {
      return [['run', 'subtask', 'rows']].concat(
        ...runs.map(run => run.subtasks.map((rows, i) => [run.name, i, rows])));
    }
    const keys = kinds[id].lines.map(line => line.key).filter(key => key !== 'rows');
    const head = ['run', 'elapsed_s', 'rows'].concat(keys);
    return [head].concat(...runs.map(run => run.points.elapsed_s.map(
      (second, i) => [run.name, second, run.points.rows[i]].concat(keys.map(key => run.points[key][i])))));
  }

  /* A name that a spreadsheet would take for a formula gets an apostrophe. */
  function cell(value) {
    if (value === null || value === undefined) return '';
    const text = typeof value === 'string' ? value.replace(/^[=+\-@\t\r]/, "'$&") : String(value);
    return /[",\r\n]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
  }

  function csv(rows) {
    return rows.map(row => row.map(cell).join(',')).join('\r\n') + '\r\n';
  }

  return {kinds, points, end, table, csv, short, bytes, whole};
}());
