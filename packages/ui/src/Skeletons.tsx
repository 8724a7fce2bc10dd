import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './Skeletons.module.css'
import { useWords } from './use-words.ts'

/** The outline of a list page: figures, filter bar, rows; and of its heading, unless that stands already. */
export function ListSkeleton({ headed = false }: { headed?: boolean }) {
  return (
    <Loading>
      {!headed && <Skeleton height={22} width={180} />}
      <div className={classes.figures}>
        {[1, 2, 3, 4].map((figure) => (
          <Skeleton key={figure} height={62} />
        ))}
      </div>
      <RowsSkeleton />
    </Loading>
  )
}

/** A heading whose words are on the way. */
export const HeadingSkeleton = () => <Skeleton height={24} width={220} />

type DetailProps = {
  /** Figures in a row below the heading. */
  figures?: number
  /** Absent: the page has no tabs. */
  tabs?: number
  /** Surfaces beside each other; the first is the widest. */
  panes?: number
}

/** The outline of the page of one thing below its heading: figures, tabs, and surfaces beside each other. */
export function DetailSkeleton({ figures = 0, tabs = 0, panes = 2 }: DetailProps) {
  const some = (count: number) => Array.from({ length: count }, (_, at) => at)
  return (
    <Loading>
      {figures > 0 && (
        <div className={classes.figures}>
          {some(figures).map((figure) => (
            <Skeleton key={figure} height={62} />
          ))}
        </div>
      )}
      {tabs > 0 && (
        <div className={classes.tabs}>
          {some(tabs).map((tab) => (
            <Skeleton key={tab} height={14} width={72} />
          ))}
        </div>
      )}
      <div className={classes.panes} data-panes={panes}>
        {some(panes).map((pane) => (
          <RowsSkeleton key={pane} rows={9} />
        ))}
      </div>
    </Loading>
  )
}

/** Some rows of a table that are on the way. */
export function RowsSkeleton({ rows = 12 }: { rows?: number }) {
  return (
    <div className={classes.rows} data-skeleton>
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} height={14} width={`${94 - ((row * 13) % 31)}%`} />
      ))}
    </div>
  )
}

/** Tells those who do not see the outline that something is loading. */
function Loading({ children }: { children: ReactNode }) {
  const t = useWords()
  return (
    <div role="status" className={classes.loading}>
      <span className={classes.told}>{t('ui.loading')}</span>
      {children}
    </div>
  )
}
