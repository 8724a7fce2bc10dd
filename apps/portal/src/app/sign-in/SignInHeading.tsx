import { type ReactNode, useEffect } from 'react'
import classes from './SignInHeading.module.css'

/** Title and one sentence of the card. */
export function SignInHeading({ title, children }: { title: string; children?: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Longreach`
  }, [title])
  return (
    <div className={classes.heading}>
      <h1 className={classes.title} tabIndex={-1}>
        {title}
      </h1>
      {children !== undefined && <p className={classes.text}>{children}</p>}
    </div>
  )
}
