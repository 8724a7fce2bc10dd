import type { ReactNode } from 'react'
import classes from './DoorHeading.module.css'

/** Title and one sentence of a door's card. */
export function DoorHeading({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={classes.heading}>
      <h1 className={classes.title} tabIndex={-1}>
        {title}
      </h1>
      {children !== undefined && <p className={classes.text}>{children}</p>}
    </div>
  )
}
