'use strict';
/* Added to the page where it is served while runs go on: asks for newer data, and says when no more is to come. */
(function () {
  const EVERY_MS = 2000;
  const FAILURES = 3;
  const words = document.createElement('p');
  words.setAttribute('role', 'status');
  words.id = 'live';
  Object.assign(words.style, {position: 'fixed', right: '12px', bottom: '12px', margin: 0, padding: '4px 12px',
    borderRadius: '12px', background: 'CanvasText', color: 'Canvas', fontSize: '13px', zIndex: 10});
  document.body.append(words);
  let shown;
  let failures = 0;

  function say(text) {
    if (words.textContent !== text) words.textContent = text;
  }

  async function ask() {
    let ended = false;
    try {
      const answer = await fetch('data.json', {cache: 'no-cache'});
      if (!answer.ok) throw new Error('status ' + answer.status);
      failures = 0;
      const version = answer.headers.get('ETag');
      ended = answer.headers.get('X-Chunkroll-State') === 'ended';
      if (version !== shown) {
        chunkrollReport.render(await answer.json());
        shown = version;
      }
      say(ended ? 'Ended: this is all' : 'Live');
    } catch (failure) {
      failures++;
      if (failures >= FAILURES) say('Ended, or not to be reached: this is what was seen last');
    }
    if (!ended && failures < FAILURES) setTimeout(ask, EVERY_MS);
  }

  say('Live');
  setTimeout(ask, EVERY_MS);
}());
