import type { ReactNode } from 'react'
import classes from './report.module.css'

/** Frame of a table that scrolls by keys and touch where it is wider than the screen. */
export function TableFrame({ label, children }: { label: string; children: ReactNode }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys scroll what is wider than the screen
    <div className={classes.scroll} role="group" aria-label={label} tabIndex={0}>
      <table className={classes.table}>{children}</table>
    </div>
  )
}
