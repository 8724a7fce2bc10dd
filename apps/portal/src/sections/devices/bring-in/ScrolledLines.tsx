import type { ReactNode } from 'react'
import classes from './import.module.css'

/** A long table in a box of its own, which keys scroll as well. */
export function ScrolledLines({ label, children }: { label: string; children: ReactNode }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keyboard
    <div className={classes.lines} tabIndex={0} role="region" aria-label={label}>
      {children}
    </div>
  )
}
