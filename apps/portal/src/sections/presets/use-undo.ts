import { useCallback, useReducer } from 'react'

type History<T> = { past: readonly T[]; now: T; future: readonly T[] }
type Step<T> =
  | { do: 'set'; to: T; joined: boolean }
  | { do: 'undo' | 'redo' }
  | { do: 'begin'; to: T }

const mostSteps = 200

/** A value whose changes can be taken back. Changes marked as joined make one step with the one before. */
export function useUndo<T>(first: T) {
  const [history, step] = useReducer(reduce<T>, { past: [], now: first, future: [] })
  const { past, now, future } = history
  return {
    now,
    canUndo: past.length > 0,
    canRedo: future.length > 0,
    set: useCallback((to: T, joined = false) => step({ do: 'set', to, joined }), []),
    undo: useCallback(() => step({ do: 'undo' }), []),
    redo: useCallback(() => step({ do: 'redo' }), []),
    begin: useCallback((to: T) => step({ do: 'begin', to }), []),
  }
}

function reduce<T>(history: History<T>, step: Step<T>): History<T> {
  const { past, now, future } = history
  switch (step.do) {
    case 'begin':
      return { past: [], now: step.to, future: [] }
    case 'set': {
      if (step.to === now) return history
      const before = step.joined && past.length > 0 ? past : [...past, now].slice(-mostSteps)
      return { past: before, now: step.to, future: [] }
    }
    case 'undo': {
      const last = past.at(-1)
      return last === undefined
        ? history
        : { past: past.slice(0, -1), now: last, future: [now, ...future] }
    }
    case 'redo': {
      const [next, ...rest] = future
      return next === undefined ? history : { past: [...past, now], now: next, future: rest }
    }
  }
}
