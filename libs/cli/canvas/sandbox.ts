/**
 * Stands before the code of a canvas in its context: a browser in which nothing happens. All of it is made inside of
 * the context, so nothing leads out; time and chance are always the same, so the same canvas gives the same page.
 */
export const SURROUNDINGS = `(() => {
  'use strict';
  const nothing = function () { return anything; };
  const anything = new Proxy(nothing, {
    get(_, key) {
      if (key === Symbol.toPrimitive) return () => '';
      if (key === Symbol.iterator) return function* () {};
      if (key === 'then') return undefined;
      if (key === 'length') return 0;
      return anything;
    },
    set: () => true,
    has: () => true,
    construct: () => anything,
  });
  const store = () => {
    const kept = new Map();
    return {
      getItem: (key) => (kept.has(String(key)) ? kept.get(String(key)) : null),
      setItem: (key, value) => void kept.set(String(key), String(value)),
      removeItem: (key) => void kept.delete(String(key)),
      clear: () => kept.clear(),
    };
  };
  const none = () => null;
  let seed = 20260101;
  Math.random = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 4294967296;
  };
  const Then = Date;
  const moment = Then.UTC(2026, 0, 1, 12);
  globalThis.Date = class Date extends Then {
    constructor(...given) {
      if (given.length === 0) super(moment);
      else super(...given);
    }
    static now() { return moment; }
  };
  const quiet = () => {};
  const never = new Promise(quiet);
  Object.assign(globalThis, {
    window: globalThis,
    self: globalThis,
    document: {
      getElementById: none, querySelector: none, querySelectorAll: () => [], getElementsByClassName: () => [],
      createElement: () => anything, addEventListener: quiet, removeEventListener: quiet,
      body: anything, head: anything, documentElement: anything, title: '', cookie: '', readyState: 'loading',
      visibilityState: 'visible', activeElement: null,
    },
    navigator: { userAgent: 'first render', language: 'en', languages: ['en'], onLine: false, clipboard: anything },
    location: { href: 'about:blank', hash: '', search: '', pathname: '/', host: '', origin: 'null', reload: quiet },
    history: { pushState: quiet, replaceState: quiet, back: quiet },
    localStorage: store(), sessionStorage: store(),
    innerWidth: 1280, innerHeight: 800, devicePixelRatio: 1, scrollX: 0, scrollY: 0,
    matchMedia: () => ({ matches: false, addEventListener: quiet, removeEventListener: quiet, addListener: quiet }),
    addEventListener: quiet, removeEventListener: quiet, dispatchEvent: quiet, scrollTo: quiet, alert: quiet,
    setTimeout: () => 0, clearTimeout: quiet, setInterval: () => 0, clearInterval: quiet, queueMicrotask: quiet,
    requestAnimationFrame: () => 0, cancelAnimationFrame: quiet, fetch: () => never,
    performance: { now: () => 0 },
    console: { log: quiet, info: quiet, warn: quiet, error: quiet, debug: quiet },
    Image: nothing, Audio: nothing, Event: nothing, CustomEvent: nothing,
    IntersectionObserver: class { observe() {} unobserve() {} disconnect() {} },
    ResizeObserver: class { observe() {} unobserve() {} disconnect() {} },
    MutationObserver: class { observe() {} disconnect() {} },
    getComputedStyle: () => anything,
  });
})();`;

/**
 * The worker: a context that has no module loader, no process and no `eval`, into which only texts go and out of which
 * only a text comes.
 */
export const WORKER = `'use strict';
// Strict: V8 shows no function of a strict frame to code that looks at stacks.
const { parentPort, workerData } = require('node:worker_threads');
const vm = require('node:vm');
const context = vm.createContext(Object.create(null), { codeGeneration: { strings: false, wasm: false } });
const run = (text, filename, lineOffset) => new vm.Script(text, { filename, lineOffset }).runInContext(context);
try {
  run(workerData.surroundings, 'surroundings.js', 0);
  run(workerData.renderer, 'renderer.js', 0);
  for (const { text, filename, lineOffset, optional } of workerData.programs) {
    try {
      run(text, filename, lineOffset);
    } catch (error) {
      if (!optional) throw error;
    }
  }
  const json = run('LoupeCanvas.first(' + workerData.call + ')', 'call.js', 0);
  parentPort.postMessage({ json: String(json) });
} catch (error) {
  let message = 'it threw something that is no error';
  let stack = '';
  try {
    message = String(error && error.message !== undefined ? error.message : error);
    stack = String((error && error.stack) || '');
  } catch {}
  parentPort.postMessage({ message, stack });
}
`;
