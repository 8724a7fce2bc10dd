import { itemName } from '../../parts/models/model-tree-rules.ts'
import type { Trial } from './preset-calls.ts'
import type { Row, Tree } from './preset-tree-rules.ts'
import type { Found } from './save-rules.ts'

export type Problem = {
  /** An error keeps the preset from being saved. */
  kind: 'error' | 'warning'
  /** Fact that the page has a text for: a warning of its own, or a fault found by the server. */
  warning?: { rule: string; count?: number; fields?: string }
  issue?: Trial['issues'][number]
}

/** Path of a row in the tree that is sent: `properties.zones.item.properties.t`. */
export const treePathOf = ({ keys }: Row) =>
  keys.map((key) => (key === itemName ? 'item' : `properties.${key}`)).join('.')

type Judged = {
  trial: Trial | undefined
  model: Tree
  rows: readonly Row[]
  fast: readonly Found[]
}

/** Problems of the preset by path; under '' those that belong to no row. */
export function problemsByPath({
  trial,
  model,
  rows,
  fast,
}: Judged): ReadonlyMap<string, Problem[]> {
  const found = new Map<string, Problem[]>()
  const add = (path: string, problem: Problem) =>
    found.set(path, [...(found.get(path) ?? []), problem])
  const places = new Map(rows.map((row) => [treePathOf(row), row.path]))
  for (const one of fast) add(one.path, tooFastProblem(one))
  for (const issue of trial?.issues ?? []) {
    add(ownerOf(issue.path, places), { kind: 'error', issue })
  }
  for (const warning of trial?.warnings ?? []) add(warning.path, doubt(warning))
  for (const { row, count } of refusedRows(trial, model)) add(row, refusedProblem(count))
  return found
}

function refusedRows(trial: Trial | undefined, model: Tree) {
  const name = `${String(model['instanceOf']).split('.')[0]}/`
  return (trial?.leaves ?? []).flatMap(({ path, refused = 0 }) =>
    refused > 0
      ? [{ row: path.slice(name.length).replaceAll(/\[\d+\]/g, '[*]'), count: refused }]
      : [],
  )
}

const refusedProblem = (count: number): Problem => ({
  kind: 'warning',
  warning: { rule: 'refused', count },
})

const tooFastProblem = ({ stored }: Found): Problem => ({
  kind: stored ? 'warning' : 'error',
  warning: { rule: 'fast' },
})

const doubt = ({ rule, fields = [] }: Trial['warnings'][number]): Problem => ({
  kind: 'warning',
  warning: { rule, fields: fields.join(', ') },
})

/** The path of the row that a place in the posted tree belongs to; '' for the preset itself. */
function ownerOf(place: string, places: ReadonlyMap<string, string>): string {
  const owner = places.get(place)
  if (owner !== undefined || place === '') return owner ?? ''
  return ownerOf(place.slice(0, Math.max(0, place.lastIndexOf('.'))), places)
}
