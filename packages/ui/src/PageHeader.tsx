import { createContext, type ReactNode, use, useEffect, useId, useRef } from 'react'
import classes from './PageHeader.module.css'

type PageHeaderProps = {
  title: string
  /** Above the title: the way back to the list of the page's thing. */
  trail?: ReactNode
  /** Number of things that the page lists; absent while unknown. */
  count?: ReactNode
  /** One line of help. */
  help?: ReactNode
  /** Beside the title: state, badges. */
  beside?: ReactNode
  /** Buttons; at most one of them primary. */
  actions?: ReactNode
}

/** Told of the heading of the page that is shown, and of another text of it. */
export const HeadingShown = createContext<(heading: HTMLElement) => void>(() => undefined)

/** Title, count and actions of a page. The heading takes the focus after navigation. */
export function PageHeader({ title, trail, count, help, beside, actions }: PageHeaderProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = use(HeadingShown)
  useEffect(() => {
    if (heading.current) shown(heading.current)
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- told anew of another text
  }, [shown, title])
  return (
    <header className={classes.header}>
      <div className={classes.text}>
        {trail !== undefined && <div className={classes.trail}>{trail}</div>}
        <div className={classes.line}>
          <h1 ref={heading} className={classes.title} tabIndex={-1}>
            {title}
          </h1>
          {Boolean(count) && <span className={classes.count}>{count}</span>}
          {beside}
        </div>
        {help !== undefined && <p className={classes.help}>{help}</p>}
      </div>
      {actions !== undefined && <div className={classes.actions}>{actions}</div>}
    </header>
  )
}

type PendingProps = { title: ReactNode; trail?: ReactNode; help?: ReactNode }

/** The name of a page that is on its way. Its heading comes with the page, so that there is never a second one. */
export function PendingHeader({ title, trail, help }: PendingProps) {
  return (
    <div className={classes.header}>
      <div className={classes.text}>
        {trail !== undefined && <div className={classes.trail}>{trail}</div>}
        <div className={classes.title}>{title}</div>
        {help !== undefined && <p className={classes.help}>{help}</p>}
      </div>
    </div>
  )
}

/** A page whose last child, a table with its panel, takes the height that is left. */
export function Page({ children }: { children: ReactNode }) {
  return <div className={classes.page}>{children}</div>
}

/** Content and its side panel, next to each other. */
export function Split({ children }: { children: ReactNode }) {
  return <div className={classes.split}>{children}</div>
}

/** A surface with a thin line around it. */
export function Panel({
  title,
  beside,
  children,
}: {
  title?: ReactNode
  beside?: ReactNode
  children: ReactNode
}) {
  const id = useId()
  return (
    <section className={classes.panel} aria-labelledby={title === undefined ? undefined : id}>
      {title !== undefined && (
        <div className={classes.panelHead}>
          <h2 id={id} className={classes.panelTitle}>
            {title}
          </h2>
          {beside}
        </div>
      )}
      {children}
    </section>
  )
}
