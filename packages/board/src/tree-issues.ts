import type { Document } from './document.ts'
import type { DocumentIssue } from './issue.ts'
import { pointerPart } from './json.ts'
import { boardLimits } from './limits.ts'
import type { Node } from './node.ts'
import { partsOfBinding } from './binding.ts'

/** Faults in the tree of a document whose parts fit their schemas: parents, cycles, pages, root groups, sums. */
export function treeIssues({ nodes, pages }: Document): DocumentIssue[] {
  const all = new Map(Object.entries(nodes))
  return [
    ...[...all].flatMap(([id, node]) => placeIssues(all, id, node)),
    ...pages.flatMap((page, index) => pageIssues(all, pages, page, index)),
    ...listedIssues(all, pages),
    ...rootIssues(all),
    ...depthIssues(all),
    ...bindingIssues(all),
  ]
}

const at = (id: string, field?: string) =>
  `/nodes/${pointerPart(id)}${field === undefined ? '' : `/${field}`}`

function placeIssues(all: ReadonlyMap<string, Node>, id: string, node: Node): DocumentIssue[] {
  if (node.id !== id)
    return [{ pointer: at(id, 'id'), code: 'other_id', found: node.id, limit: id }]
  if (node.kind === 'page') return []
  const parent = node.parent === null ? undefined : all.get(node.parent)
  const found = node.parent ?? 'null'
  if (!parent) return [{ pointer: at(id, 'parent'), code: 'no_parent', found }]
  const isHeld = parent.kind === 'group' || (parent.kind === 'page' && node.kind === 'group')
  return isHeld ? [] : [{ pointer: at(id, 'parent'), code: 'not_a_group', found }]
}

function pageIssues(
  all: ReadonlyMap<string, Node>,
  pages: readonly string[],
  page: string,
  index: number,
): DocumentIssue[] {
  const pointer = `/pages/${index}`
  if (all.get(page)?.kind !== 'page') return [{ pointer, code: 'not_a_page', found: page }]
  return pages.indexOf(page) === index ? [] : [{ pointer, code: 'page_twice', found: page }]
}

const listedIssues = (all: ReadonlyMap<string, Node>, pages: readonly string[]) =>
  [...all.values()]
    .filter(({ id, kind }) => kind === 'page' && !pages.includes(id))
    .map(({ id }): DocumentIssue => ({ pointer: at(id), code: 'page_not_listed' }))

function rootIssues(all: ReadonlyMap<string, Node>): DocumentIssue[] {
  const roots = new Map<string, number>()
  for (const { parent } of all.values()) {
    if (parent !== null) roots.set(parent, (roots.get(parent) ?? 0) + 1)
  }
  return [...all.values()].flatMap(({ id, kind }): DocumentIssue[] => {
    const count = roots.get(id) ?? 0
    if (kind !== 'page' || count === 1) return []
    if (count === 0) return [{ pointer: at(id), code: 'no_root_group' }]
    return [{ pointer: at(id), code: 'too_many_root_groups', found: count, limit: 1 }]
  })
}

/** Levels of groups above each node, by going up at most as far as is allowed. */
function depthIssues(all: ReadonlyMap<string, Node>): DocumentIssue[] {
  const limit = boardLimits.depth
  return [...all.values()].flatMap((node): DocumentIssue[] => {
    let levels = node.kind === 'group' ? 1 : 0
    const seen = new Set([node.id])
    for (let parent = node.parent; parent !== null;) {
      if (seen.has(parent)) return [{ pointer: at(node.id, 'parent'), code: 'cycle' }]
      seen.add(parent)
      const above = all.get(parent)
      if (above?.kind === 'group') levels += 1
      if (levels > limit + 1) break
      parent = above?.parent ?? null
    }
    return levels > limit ? [{ pointer: at(node.id), code: 'too_deep', limit }] : []
  })
}

function bindingIssues(all: ReadonlyMap<string, Node>): DocumentIssue[] {
  let found = 0
  for (const { bind } of all.values()) {
    for (const binding of Object.values(bind)) found += Math.max(1, partsOfBinding(binding).length)
  }
  const limit = boardLimits.bindings
  return found > limit ? [{ pointer: '/nodes', code: 'too_many', found, limit }] : []
}
