/** Something that is edited, with what it was before and what was taken back. */
type Undoable<T> = {
  now: T
  past: readonly T[]
  future: readonly T[]
  /** Name of the last change; the next change with the same name is undone together with it. */
  mark: string | undefined
}

const mostSteps = 200

export const begin = <T>(now: T): Undoable<T> => ({ now, past: [], future: [], mark: undefined })

/** A change that can be taken back. Changes with the same mark one after the other are one: typing a word. */
export function changed<T>(state: Undoable<T>, next: T, mark?: string): Undoable<T> {
  if (next === state.now) return state
  const goesOn = mark !== undefined && mark === state.mark
  const past = goesOn ? state.past : [...state.past, state.now].slice(-mostSteps)
  return { now: next, past, future: [], mark }
}

export function undone<T>({ now, past, future, ...rest }: Undoable<T>): Undoable<T> {
  if (past.length === 0) return { now, past, future, ...rest }
  const before = past[past.length - 1] as T // the list is not empty
  return { now: before, past: past.slice(0, -1), future: [now, ...future], mark: undefined }
}

export function redone<T>({ now, past, future, ...rest }: Undoable<T>): Undoable<T> {
  if (future.length === 0) return { now, past, future, ...rest }
  const next = future[0] as T // the list is not empty
  return { now: next, past: [...past, now], future: future.slice(1), mark: undefined }
}
