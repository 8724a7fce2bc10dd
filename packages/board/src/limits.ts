/** Limits of a board's document: they bound what a server keeps in memory and a browser draws. */
export const boardLimits = {
  /** Bytes of the document as text. */
  bytes: 4 * 1024 * 1024,
  nodes: 5_000,
  pages: 50,
  /** Groups in groups, the root group of the page being the first. */
  depth: 12,
  slots: 32,
  variables: 100,
  maps: 100,
  bands: 100,
  /** Bindings of all nodes. */
  bindings: 10_000,
  /** Bindings of one node. */
  bindingsOfNode: 200,
  /** Values that one page reads. */
  sourcesOfPage: 2_000,
  /** Devices of a slot that takes many. */
  devicesOfSlot: 500,
  /** Boards that are shown inside each other. */
  boardsInBoards: 3,
  /** Characters of a text that people read. */
  text: 2_000,
  /** Characters of a node's name. */
  name: 120,
  /** Characters of a path below the model. */
  path: 500,
  formula: 2_000,
  /** Bindings that one formula takes. */
  inputs: 32,
  actsOfEvent: 10,
  options: 200,
  bandsOfOne: 20,
  groupsOfAccess: 50,
  /** Characters of the text that orders a node among its neighbours. */
  order: 64,
  /** Keys of the place that one change sets. */
  setKeys: 6,
  /** Nesting of values in properties. */
  valueDepth: 20,
  /** Changes of one request. */
  changes: 5_000,
  /** Bytes of one request of changes. */
  changeBytes: 1024 * 1024,
  /** Faults that one answer lists. */
  issues: 100,
} as const
