import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import type { Alarm } from '../../parts/alarms/alarm-calls.ts'
import { type AlarmRow, steadyRows } from './steady-rows.ts'

/** Time in ms for which the list stands still after the pointer moved over it, and after a key. */
const restMs = { pointer: 2_000, key: 10_000 }

/**
 * Rows that do not move under the pointer or the focus: while somebody points at the list or works in it by
 * keyboard, new alarms wait and are counted. `question` names the list with its pages; another one is shown at once.
 */
export function useSteadyRows(present: readonly Alarm[], question: string) {
  const [held, setHeld] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const hold = (ms: number) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setHeld(false), ms)
    setHeld(true)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  const [shown, setShown] = useState<{ question: string; rows: readonly AlarmRow[] }>({
    question,
    rows: present,
  })
  const isSame = held && shown.question === question
  const steady = isSame ? steadyRows(shown.rows, present) : { rows: [...present], added: 0 }
  if (!isSame && (shown.rows !== present || shown.question !== question))
    setShown({ question, rows: present })
  return {
    rows: steady.rows,
    added: steady.added,
    release: () => {
      clearTimeout(timer.current)
      setHeld(false)
    },
    watch: {
      onPointerMove: ({ target }: PointerEvent) => isInList(target) && hold(restMs.pointer),
      onKeyDown: ({ target }: KeyboardEvent) => isInList(target) && hold(restMs.key),
    },
  }
}

/** True within the rows or cards of the list. */
const isInList = (target: EventTarget) =>
  target instanceof Element && target.closest('[role="rowgroup"], [data-row], li') !== null
