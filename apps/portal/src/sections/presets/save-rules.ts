import { readTime, timeFaults } from './formula-time-rules.ts'
import { tooFast } from './policy-rules.ts'
import { formulaOf, type Leaf, nodeAt, type Row, type Tree } from './preset-tree-rules.ts'

export type Found = {
  path: string
  /** The preset has it as it is stored: it is told, and keeps nothing from being saved. */
  stored: boolean
}

type Content = { values: readonly Row[]; data: Tree; stored: Tree | undefined }

/** Values that are sent more often than once a second. */
export const fastValues = (content: Content) =>
  found(content, (leaf) => tooFast(leaf.sendPolicy ?? {}).length > 0, sendingOf)

/** Formulas with a size or percentile that is none: the server would pass over it. */
export const wrongTimes = (content: Content) =>
  found(
    content,
    (leaf) => formulaOf(leaf) !== undefined && Object.keys(timeFaults(readTime(leaf))).length > 0,
    ({ datalink }) => datalink,
  )

const sendingOf = ({ sendPolicy }: Leaf) => sendPolicy

function found(
  { values, data, stored }: Content,
  isFound: (leaf: Leaf) => boolean,
  part: (leaf: Leaf) => unknown,
): Found[] {
  return values.flatMap((row) => {
    const leaf = nodeAt(data, row.keys)
    if (!leaf || !isFound(leaf)) return []
    const before = stored && nodeAt(stored, row.keys)
    return [
      {
        path: row.path,
        stored: before !== undefined && toJson(part(leaf)) === toJson(part(before)),
      },
    ]
  })
}

const toJson = (part: unknown) => JSON.stringify(part)
