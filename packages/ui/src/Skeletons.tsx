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
export function Loading({ children }: { children: ReactNode }) {
  const t = useWords()
  return (
    <div role="status" className={classes.loading}>
      <span className={classes.told}>{t('ui.loading')}</span>
      {children}
    </div>
  )
}
