import { CloseButton } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import classes from './SidePanel.module.css'
import { useWords } from './use-words.ts'

type SidePanelProps = {
  title: ReactNode
  /** State and facts under the title. */
  facts?: ReactNode
  actions?: ReactNode
  onClose: () => void
  children: ReactNode
}

/** Details beside a list; Esc closes it and the focus goes back to where it was. On a phone it takes the screen. */
export function SidePanel({ title, facts, actions, onClose, children }: SidePanelProps) {
  const t = useWords()
  const panel = useRef<HTMLElement>(null)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && !isInDialog(event.target)) onClose()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [onClose])
  return (
    <aside
      ref={panel}
      className={classes.panel}
      aria-label={typeof title === 'string' ? title : undefined}
    >
      <header className={classes.head}>
        <div className={classes.headLine}>
          <h2 className={classes.title}>{title}</h2>
          <CloseButton size="sm" onClick={onClose} aria-label={t('ui.close')} />
        </div>
        {facts !== undefined && <div className={classes.facts}>{facts}</div>}
        {actions !== undefined && <div className={classes.actions}>{actions}</div>}
      </header>
      <div className={classes.body}>{children}</div>
    </aside>
  )
}

/** A part of a panel, with a line above it. */
export function PanelSection({
  title,
  beside,
  children,
}: {
  title?: ReactNode
  beside?: ReactNode
  children: ReactNode
}) {
  return (
    <section className={classes.section}>
      {title !== undefined && (
        <div className={classes.sectionHead}>
          <h3 className={classes.sectionTitle}>{title}</h3>
          {beside}
        </div>
      )}
      {children}
    </section>
  )
}

/** Names and values under each other. */
export function Facts({ items }: { items: readonly { label: string; value: ReactNode }[] }) {
  return (
    <dl className={classes.list}>
      {items.map(({ label, value }) => (
        <div key={label} className={classes.pair}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const isInDialog = (target: EventTarget | null) =>
  target instanceof Element &&
  target.closest('[role="dialog"], [role="menu"], [role="listbox"]') !== null
