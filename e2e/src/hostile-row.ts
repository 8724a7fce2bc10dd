// A call that is made to cost much, with the same call as it is meant.

export type HostileRow = {
  name: string
  method: string
  /**
   * Address below `/svc/`, or from the root when it begins with a slash. `{device}` is an existing
   * device.
   */
  path: string
  /** The path of the hostile call, where what costs is in the address. */
  hostilePath?: () => string
  /** Caller: the owner, or one who is not signed in. */
  as?: 'nobody'
  /** Bodies go as a form; as JSON otherwise. */
  sends?: 'form'
  /** The body; `{nested: n}` stands for so many lists in each other, `undefined` for none. */
  hostile: () => unknown
  /** Statuses that a hostile body may be answered with. */
  refused: readonly number[]
  /** The call as it is meant, and its status. */
  good: unknown
  answered: number
}

export type Kind = Omit<HostileRow, 'name' | 'hostile' | 'refused'>

export const many = <T>(length: number, one: (n: number) => T) =>
  Array.from({ length }, (_, n) => one(n))

/** Nested lists; their text is made by hand, since `JSON.stringify` would be too deep as well. */
export const deep = (depth: number) => ({ nested: depth })

export const refusedTable = [400, 413, 422]
const answeredOrRefused = [200, 400, 413, 422]

export const row = (
  kind: Kind,
  name: string,
  hostile: () => unknown,
  refused: readonly number[] = answeredOrRefused,
): HostileRow => ({ ...kind, name, hostile, refused })

/** A row whose cost is in its address. */
export const addressRow = (kind: Kind, name: string, hostilePath: () => string): HostileRow => ({
  ...kind,
  name,
  hostilePath,
  hostile: () => undefined,
  refused: [...answeredOrRefused, 303, 401, 403, 404, 414, 431],
})
