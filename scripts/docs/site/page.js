// Search, filters, tabs and the choice of light or dark. Works from a file, without a server and without any request.
const store = {
  get(key) {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  },
  set(key, value) {
    try {
      localStorage.setItem(key, value);
    } catch {
      // Without storage the choice lasts as long as the page.
    }
  },
};

const page = document.documentElement;
if (store.get('theme')) page.dataset.theme = store.get('theme');
document.querySelector('[data-theme-switch]').addEventListener('click', () => {
  const dark = page.dataset.theme ? page.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  page.dataset.theme = dark ? 'light' : 'dark';
  store.set('theme', page.dataset.theme);
});

const here = location.href.replace(/[?#].*/, '');
for (const link of document.querySelectorAll('nav a')) if (link.href === here) link.setAttribute('aria-current', 'page');

const search = document.querySelector('#search');
if (search) {
  const rows = [...document.querySelectorAll('tbody tr')];
  const chips = [...document.querySelectorAll('.chip')];
  const found = document.querySelector('#found');

  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = chips.filter(chip => chip.getAttribute('aria-pressed') === 'true').map(chip => chip.dataset.capability);
    let shown = 0;
    for (const row of rows) {
      const has = row.dataset.has.split(' ');
      row.hidden = !words.every(word => row.dataset.search.includes(word)) || !wanted.every(of => has.includes(of));
      if (!row.hidden) shown++;
    }
    found.textContent = shown === 1 ? '1 tool' : `${shown} tools`;
    document.querySelector('#empty').hidden = shown > 0;
    const state = new URLSearchParams();
    if (search.value) state.set('q', search.value);
    if (wanted.length) state.set('has', wanted.join(','));
    history.replaceState(null, '', state.size ? `#${state}` : location.pathname);
  };

  const restore = () => {
    const state = new URLSearchParams(location.hash.slice(1));
    search.value = state.get('q') ?? '';
    const wanted = (state.get('has') ?? '').split(',');
    for (const chip of chips) chip.setAttribute('aria-pressed', String(wanted.includes(chip.dataset.capability)));
    filter();
  };

  search.addEventListener('input', filter);
  for (const chip of chips) {
    chip.addEventListener('click', () => {
      chip.setAttribute('aria-pressed', String(chip.getAttribute('aria-pressed') !== 'true'));
      filter();
    });
  }
  document.addEventListener('keydown', event => {
    if (event.key === '/' && document.activeElement !== search) {
      event.preventDefault();
      search.focus();
    }
  });
  addEventListener('hashchange', restore);
  restore();
}

for (const list of document.querySelectorAll('[role=tablist]')) {
  const tabs = [...list.querySelectorAll('[role=tab]')];
  const select = chosen => {
    for (const tab of tabs) {
      const selected = tab === chosen;
      tab.setAttribute('aria-selected', String(selected));
      tab.tabIndex = selected ? 0 : -1;
      document.getElementById(tab.getAttribute('aria-controls')).hidden = !selected;
    }
  };
  for (const [index, tab] of tabs.entries()) {
    tab.tabIndex = tab.getAttribute('aria-selected') === 'true' ? 0 : -1;
    tab.addEventListener('click', () => select(tab));
    tab.addEventListener('keydown', event => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const next = tabs[(index + step + tabs.length) % tabs.length];
      select(next);
      next.focus();
    });
  }
}

const parts = document.querySelector('#parts');
if (parts) {
  const asked = new URLSearchParams(location.search).get('q') ?? '';
  document.querySelector('[name=q]').value = asked;
  const words = asked.toLowerCase().split(/\s+/).filter(Boolean);
  // A word of a heading counts more than one of the text, and a page more than its parts.
  const rank = ({ title, text, url, page: of }) => {
    const [head, body] = [title.toLowerCase(), `${of} ${text}`.toLowerCase()];
    if (!words.every(word => head.includes(word) || body.includes(word))) return 0;
    const inHead = words.filter(word => head.includes(word)).length;
    return 1 + 4 * inHead + (head === words.join(' ') ? 8 : 0) + (inHead > 0 && !url.includes('#') ? 2 : 0);
  };
  const found = self.siteParts
    .map(part => ({ part, rank: rank(part) }))
    .filter(one => words.length > 0 && one.rank > 0)
    .sort((a, b) => b.rank - a.rank);
  const note = found.length > 50 ? ', of which 50 are shown' : '';
  document.querySelector('#found-parts').textContent =
    words.length === 0 ? 'Type what you look for into the field above.' : `${found.length} found${note}`;
  for (const { part } of found.slice(0, 50)) {
    const item = document.createElement('li');
    const link = document.createElement('a');
    link.href = part.url;
    link.textContent = part.title;
    const place = document.createElement('span');
    place.className = 'sub';
    place.textContent = part.page === part.title ? '' : part.page;
    const at = Math.max(0, part.text.toLowerCase().indexOf(words[0]));
    const excerpt = document.createElement('p');
    excerpt.textContent = `${at > 40 ? '… ' : ''}${part.text.slice(at > 40 ? at - 40 : 0, at + 160)}`;
    item.append(link, ' ', place, excerpt);
    parts.append(item);
  }
}

const find = document.querySelector('#find');
if (find) {
  const findings = [...document.querySelectorAll('.finding')].map(one => [one, one.textContent.toLowerCase()]);
  find.addEventListener('input', () => {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const [one, text] of findings) one.hidden = !words.every(word => text.includes(word));
  });
  const named = location.hash && document.getElementById(location.hash.slice(1));
  if (named) named.open = true;
}
