import { actProblems } from './act-problems.ts'
import { bindingProblems } from './binding-problems.ts'
import { type Board, pagesOf } from './board.ts'
import { KnownTags, type TagFacts } from './known-tags.ts'
import { boardLimits } from './limits.ts'
import type { Node } from './node.ts'
import { placeProblems } from './place-problems.ts'
import type { Problem } from './problem.ts'
import { orderOfProps } from './prop-cycles.ts'
import { resolve } from './resolve.ts'

/** Facts that a board is checked against; what is absent is not checked. */
type Known = {
  /** Values of the model of each slot, by their paths below the model; `[*]` is any index. */
  tags?: Readonly<Record<string, ReadonlyMap<string, TagFacts>>>
  /** Types of widgets and groups. */
  types?: ReadonlySet<string>
  /** Model of the device that is in each slot now. */
  models?: Readonly<Record<string, string>>
}

/** Everything about a board that its maker should mend: what is bound, done or placed where nothing is. */
export function problems(board: Board, known: Known = {}): Problem[] {
  const tags = new KnownTags(known.tags ?? {})
  return [
    ...slotProblems(board, known),
    ...[...board.nodes.values()].flatMap((node) => [
      ...typeProblems(node, known),
      ...bindingProblems(board, tags, node),
      ...formatProblems(board, node),
      ...actProblems(board, tags, node),
      ...placeProblems(board, node),
    ]),
    ...pagesOf(board).flatMap(({ id }) => pageProblems(board, id)),
  ]
}

function slotProblems({ head }: Board, { models = {} }: Known): Problem[] {
  return Object.entries(head.slots).flatMap(([slot, { model }]): Problem[] => {
    const found = models[slot]
    if (model === undefined || found === undefined || found === model.name) return []
    return [{ code: 'other_model', at: slot, params: { found, wanted: model.name } }]
  })
}

const typeProblems = ({ id, kind, type }: Node, { types }: Known): Problem[] =>
  kind === 'page' || !types || types.has(type)
    ? []
    : [{ code: 'unknown_widget', node: id, params: { type } }]

function formatProblems({ head }: Board, { id, format }: Node): Problem[] {
  return Object.entries(format).flatMap(([at, { map, bands }]): Problem[] => {
    const found: Problem[] = []
    if (map !== undefined && !Object.hasOwn(head.maps, map)) {
      found.push({ code: 'unknown_map', node: id, at, params: { map } })
    }
    if (bands !== undefined && !Object.hasOwn(head.bands, bands)) {
      found.push({ code: 'unknown_bands', node: id, at, params: { bands } })
    }
    return found
  })
}

/** Circles of properties on a page, and more values than a page may read. */
function pageProblems(board: Board, page: string): Problem[] {
  const slots = Object.fromEntries(
    Object.keys(board.head.slots).map((slot) => [slot, [{ device: slot }]]),
  )
  const { sources, props } = resolve(board, page, slots)
  const circular = new Set(orderOfProps({ props }).circular)
  const inCircles = props.filter(({ instance, prop }) => circular.has(`prop ${instance} ${prop}`))
  const limit = boardLimits.sourcesOfPage
  return [
    ...inCircles.map(({ node, prop }): Problem => ({ code: 'cycle', node, at: prop })),
    ...(sources.size > limit
      ? [{ code: 'too_many_sources', node: page, params: { found: sources.size, limit } } as const]
      : []),
  ]
}
