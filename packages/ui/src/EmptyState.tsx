import { IconFilterOff, IconLock, IconPlugConnectedX, IconSparkles } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './EmptyState.module.css'

const icons = {
  /** Nothing exists yet. */
  nothing: IconSparkles,
  /** The filter finds nothing. */
  filtered: IconFilterOff,
  /** The person may not see it. */
  forbidden: IconLock,
  /** The feature is off for the organization. */
  disabled: IconPlugConnectedX,
}

type EmptyStateProps = {
  kind: keyof typeof icons
  title: string
  text?: ReactNode
  /** The one thing to do about it. */
  action?: ReactNode
}

/** Says why there is nothing here, and what to do about it. */
export function EmptyState({ kind, title, text, action }: EmptyStateProps) {
  const Icon = icons[kind]
  return (
    <div className={classes.empty}>
      <span className={classes.icon}>
        <Icon size={22} stroke={1.6} />
      </span>
      <strong>{title}</strong>
      {text !== undefined && <p className={classes.text}>{text}</p>}
      {action}
    </div>
  )
}
