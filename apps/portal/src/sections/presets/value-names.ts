import type { Row } from './preset-tree-rules.ts'

/** Name of a value in the model's words, with its path when that differs. */
export type ValueName = { name: string; path: string | undefined }
export type NameOf = (path: string) => ValueName

/**
 * The names of a model's values: their labels behind those of the groups that they are in, as the
 * explorer and the write dialog say them. Paths may begin with the model and hold indexes.
 */
export function valueNames(rows: readonly Row[]): NameOf {
  const byPath = new Map(rows.map((row) => [row.path, row]))
  const known = (path: string) => byPath.has(bare(path))
  /** Label of an item, else of the array that contains it. */
  const labelOf = (path: string) => {
    const item = bare(path)
    return byPath.get(item)?.label ?? byPath.get(item.replace(/(?:\[\*\])+$/, ''))?.label
  }
  return (path) => {
    const [, ...rest] = path.split('/')
    const below = known(path) ? path : rest.join('/')
    if (labelOf(below) === undefined) return { name: path, path: undefined }
    const steps = below.split('/')
    const names = steps.map((step, index) => {
      const label = labelOf(steps.slice(0, index + 1).join('/'))
      return label === undefined ? step : [label, ...indexesIn(step)].join(' ')
    })
    return { name: names.join(' · '), path: below }
  }
}

const bare = (path: string) => path.replaceAll(/\[\d+\]/g, '[*]')

/** `[3]` of `zones[3]`, which a label has not. */
const indexesIn = (step: string) => step.match(/\[[\d*]+\]/g) ?? []
