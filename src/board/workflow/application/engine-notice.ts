/**
 * What the workflow does in this release, as pages show it. Rules are kept and shown, nothing acts on them yet: the
 * engine replaces this by `{ acts: true, notice: null }`.
 */
export const ENGINE = {
  acts: false,
  notice:
    'This release shows the rules but does not act on them: no card moves and no work is asked for by itself. While the switch is on, moves by hand are limited to those of the template.',
} as const;
