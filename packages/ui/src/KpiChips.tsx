import type { ReactNode } from 'react'
import classes from './KpiChips.module.css'
import { StatusDot, type Tone } from './StatusDot.tsx'

type Kpi = {
  id: string
  label: string
  /** Absent while it is not known: shown as a dash, never as zero. */
  value?: ReactNode
  /** A few words beside the figure. */
  note?: ReactNode
  tone?: Tone
  /** Another mark than that of a tone, before the label. */
  mark?: ReactNode
  /** A small picture at the right, such as a sparkline. */
  picture?: ReactNode
}

type KpiChipsProps = {
  label: string
  items: readonly Kpi[]
  /** The figure whose filter is on. */
  active?: string | undefined
  /** Called with the figure pressed, or undefined when its filter is taken away. */
  onChange: (id: string | undefined) => void
}

/** At most five figures above a list; each is also a filter of it. */
export function KpiChips({ label, items, active, onChange }: KpiChipsProps) {
  return (
    <div className={classes.strip} role="group" aria-label={label}>
      {items.map(({ id, label: name, value, note, tone, mark, picture }) => (
        <button
          key={id}
          type="button"
          className={classes.chip}
          aria-pressed={active === id}
          onClick={() => onChange(active === id ? undefined : id)}
        >
          <span className={classes.name}>
            {mark}
            {tone ? <StatusDot tone={tone}>{name}</StatusDot> : name}
          </span>
          <span className={classes.figures}>
            <b className={classes.value}>{value ?? '—'}</b>
            {note !== undefined && <span className={classes.note}>{note}</span>}
          </span>
          {picture !== undefined && <span className={classes.picture}>{picture}</span>}
        </button>
      ))}
    </div>
  )
}
