import type { Change } from './change.ts'
import type { CompiledRule } from './compiled.ts'
import type { Core } from './state.ts'

/** Alarm from its raise to its return; without `end` it is active. `raises` counts chatter. */
export type Occurrence = {
  start: number
  end?: number
  severity: number
  maxSeverity: number
  raises: number
  isHidden?: true
}

/** Occurrence that is open in a state. */
export function openOccurrence(
  { severities }: CompiledRule,
  { open, isHidden }: Core,
): Occurrence | undefined {
  return (
    open && {
      start: open.t,
      severity: severities[open.level] ?? 0,
      maxSeverity: severities[open.top] ?? 0,
      raises: open.count,
      ...(isHidden && { isHidden }),
    }
  )
}

/** Occurrences that changes make, in order; `before` is the one that was open before them. */
export function occurrencesOf(changes: Iterable<Change>, before?: Occurrence): Occurrence[] {
  const occurrences: Occurrence[] = []
  let open = before && { ...before }
  if (open) occurrences.push(open)
  for (const change of changes) {
    if (change.kind === 'raise') {
      const { t, severity } = change
      open = { start: t, severity, maxSeverity: severity, raises: 1 }
      occurrences.push(open)
    } else if (open) {
      take(open, change)
      if (change.kind === 'return') open = undefined
    }
  }
  return occurrences
}

function take(open: Occurrence, change: Change) {
  switch (change.kind) {
    case 'severity':
      open.severity = change.severity
      open.maxSeverity = Math.max(open.maxSeverity, change.severity)
      break
    case 'again':
      open.raises = change.count
      break
    case 'return':
      open.end = change.t
      delete open.isHidden
      break
    case 'hidden':
      open.isHidden = true
      break
    case 'shown':
      delete open.isHidden
      break
    default:
  }
}
