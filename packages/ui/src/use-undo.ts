import { useCallback, useState } from 'react'
import { begin, changed, redone, undone } from './undo.ts'

/** A value with its steps for undo and redo. Changes with the same mark one after the other are one step. */
export function useUndo<T>(first: T) {
  const [state, setState] = useState(() => begin(first))
  return {
    now: state.now,
    canUndo: state.past.length > 0,
    canRedo: state.future.length > 0,
    change: useCallback(
      (next: T, mark?: string) => setState((before) => changed(before, next, mark)),
      [],
    ),
    undo: useCallback(() => setState(undone), []),
    redo: useCallback(() => setState(redone), []),
    restart: useCallback((next: T) => setState(begin(next)), []),
  }
}
