import {
  IconFilterOff,
  IconFolderOpen,
  IconLock,
  IconMapQuestion,
  IconPlugConnectedX,
} from '@tabler/icons-react'
import { createContext, type ReactNode, use } from 'react'
import classes from './EmptyState.module.css'

const look = { size: 22, stroke: 1.6 }
const icons = {
  /** Nothing exists yet. */
  nothing: <IconFolderOpen {...look} />,
  /** The filter finds nothing. */
  filtered: <IconFilterOff {...look} />,
  /** The address leads nowhere. */
  missing: <IconMapQuestion {...look} />,
  /** The person may not see it. */
  forbidden: <IconLock {...look} />,
  /** The feature is off for the organization. */
  disabled: <IconPlugConnectedX {...look} />,
}

/** The icon of the section that is on the screen, for its empty places. */
const SectionIcon = createContext<ReactNode>(undefined)
export const EmptyIconOfSection = SectionIcon.Provider

type EmptyStateProps = {
  kind: keyof typeof icons
  title: string
  text?: ReactNode
  /** The one thing to do about it. */
  action?: ReactNode
}

/** Says why there is nothing here, and what to do about it; with the section's icon where nothing exists yet. */
export function EmptyState({ kind, title, text, action }: EmptyStateProps) {
  const section = use(SectionIcon)
  return (
    <div className={classes.empty}>
      <span className={classes.icon}>{(kind === 'nothing' && section) || icons[kind]}</span>
      <strong>{title}</strong>
      {text !== undefined && <p className={classes.text}>{text}</p>}
      {action}
    </div>
  )
}
