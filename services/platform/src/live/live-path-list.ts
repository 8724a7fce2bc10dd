/**
 * Paths of one subscription with their indexes: the first has 0, each that is added the next. An index is
 * never given twice, so a row that is on its way still means the path that it was sent for.
 */
export function createPathList() {
  const indexes = new Map<string, number>()
  let next = 0
  return {
    get size() {
      return indexes.size
    },
    has: (path: string) => indexes.has(path),
    indexOf: (path: string) => indexes.get(path),
    paths: () => [...indexes.keys()],
    /** Index of the first of them. */
    add(paths: readonly string[]) {
      const from = next
      for (const path of paths) indexes.set(path, next++)
      return from
    },
    drop(paths: readonly string[]) {
      for (const path of paths) indexes.delete(path)
    },
  }
}
export type PathList = ReturnType<typeof createPathList>

type Change = { add: readonly string[]; drop: readonly string[] }
type Room = {
  /** Paths that one subscription may have. */
  perSubscription: number
  /** Paths that the other subscriptions of the socket leave. */
  left: number
}

/** Code of the refusal of a change, before any of it is made; undefined where it may be made. */
export function changeFault(list: PathList, { add, drop }: Change, room: Room) {
  const dropped = new Set(drop)
  const isTwice = new Set(add).size < add.length
  if (isTwice || add.some((path) => list.has(path) && !dropped.has(path))) {
    return 'platform.path_twice'
  }
  const size = list.size - [...dropped].filter((path) => list.has(path)).length + add.length
  const isFull = size > Math.min(room.perSubscription, room.left)
  return isFull ? 'platform.too_many_paths' : undefined
}
