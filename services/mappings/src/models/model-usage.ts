import type { Tree } from '../database.ts'
import { isTree, walk } from '../tree-rules.ts'

/** Which of these paths of a model a preset takes values for: itself, or something inside of it. */
export function pathsUsed(preset: Tree, paths: readonly string[]): string[] {
  const linked = walk(preset)
    .nodes.filter(({ node }) => isLinked(node))
    .map(({ path }) => path)
  return paths.filter((path) => linked.some((one) => isAtOrIn(one, path)))
}

const isAtOrIn = (one: string, path: string) =>
  path === '' || one === path || one.startsWith(`${path}/`) || one.startsWith(`${path}[*]`)

function isLinked({ datalink }: Tree) {
  const source = isTree(datalink) ? datalink['source'] : undefined
  return source !== undefined && source !== null && source !== ''
}
