/**
 * A node of acorn or acorn-jsx, told apart by its `type` when it is looked at. The types of acorn do not know the nodes
 * that acorn-jsx adds.
 */
// biome-ignore lint/suspicious/noExplicitAny: see above
export type AcornNode = any;
