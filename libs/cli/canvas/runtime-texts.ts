declare const __LOUPE_CANVAS_BROWSER__: string | undefined;
declare const __LOUPE_CANVAS_STATIC__: string | undefined;

/** The two halves of the canvas runtime as ready scripts. */
export interface RuntimeTexts {
  /** `assets/canvas-runtime.js`: React and the adapter, for the browser. */
  readonly browser: string;
  /** Makes the first render. */
  readonly renderer: string;
}

/** Those that the build of the program put in. */
export const builtRuntime: RuntimeTexts = {
  browser: typeof __LOUPE_CANVAS_BROWSER__ === 'string' ? __LOUPE_CANVAS_BROWSER__ : '',
  renderer: typeof __LOUPE_CANVAS_STATIC__ === 'string' ? __LOUPE_CANVAS_STATIC__ : '',
};
