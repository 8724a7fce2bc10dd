import type { State } from './cluster-rules.ts'
import { shapes } from './marker-element.ts'
import marker from './marker.module.css'

/** The mark of a state, as the map draws it. */
export function StateShape({ state }: { state: State }) {
  return (
    <svg className={marker.shape} data-state={state} viewBox="0 0 10 10" aria-hidden="true">
      <path d={shapes[state]} fill="currentColor" fillRule="evenodd" />
    </svg>
  )
}
