import type { Tree } from '../columns.ts'
import { isTree, walk } from '../tree-rules.ts'

/** Those of these paths of a model that a preset links, or that contain or lie below a linked one. */
export function pathsUsed(preset: Tree, paths: readonly string[]): string[] {
  const around = new Set(
    walk(preset)
      .nodes.filter(({ node }) => hasDatalink(node))
      .flatMap(({ path }) => placesAround(path)),
  )
  return paths.filter((path) => around.has(path))
}

/** A path and all that it is in: of `zones[*]/heat` also `zones[*]`, `zones` and the root. */
function placesAround(path: string): string[] {
  const ends = Array.from(path.matchAll(/\/|\[\*\]/g), ({ index }) => path.slice(0, index))
  return ['', ...ends, path]
}

function hasDatalink({ datalink }: Tree) {
  const source = isTree(datalink) ? datalink['source'] : undefined
  return source !== undefined && source !== null && source !== ''
}
