import type { ReactNode } from 'react'
import classes from './StatusDot.module.css'

export type Tone = 'ok' | 'warning' | 'alarm' | 'off' | 'info'

/** A state by shape, word and colour: a full dot, a triangle, a square or a ring, by its tone. */
export function StatusDot({ tone, children }: { tone: Tone; children?: ReactNode }) {
  return (
    <span className={classes.status}>
      <svg className={classes.mark} data-tone={tone} viewBox="0 0 10 10" aria-hidden="true">
        {shapes[tone]}
      </svg>
      {children}
    </span>
  )
}

const shapes: Record<Tone, ReactNode> = {
  ok: <circle cx="5" cy="5" r="4.4" />,
  warning: <path d="M5 .8 9.6 9H.4Z" />,
  alarm: <path d="M5 .2 9.8 5 5 9.8.2 5Z" />,
  off: <circle cx="5" cy="5" r="3.5" fill="none" strokeWidth="1.8" />,
  info: <rect x=".9" y=".9" width="8.2" height="8.2" rx="2" />,
}

/** A short state on a soft ground. */
export function Tag({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={classes.tag} data-tone={tone}>
      {children}
    </span>
  )
}
