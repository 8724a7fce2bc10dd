import { useNow } from '@longreach/ui/RelativeTime'
import { useCallback, useState } from 'react'
import type { ListState } from './alarms-url.ts'
import { flood, type GroupedRow, groupedRows, recentCount } from './flood-rows.ts'
import type { AlarmRow } from './steady-rows.ts'

const none: ReadonlySet<string> = new Set()

/** Rows by device during a flood, or as the person chose; with the number of alarms of a flood. */
export function useGroupedRows(rows: readonly AlarmRow[], { grouped }: ListState) {
  const recent = recentCount(rows, useNow())
  const [expanded, setExpanded] = useState(none)
  const isFlood = recent > flood.more
  const isGrouped = grouped ?? isFlood
  const onExpand = useCallback(
    (deviceId: string) =>
      setExpanded((before) => {
        const next = new Set(before)
        if (!next.delete(deviceId)) next.add(deviceId)
        return next
      }),
    [],
  )
  const shown: GroupedRow[] = isGrouped ? groupedRows(rows, expanded) : [...rows]
  return { rows: shown, isGrouped, onExpand, flood: isFlood ? recent : undefined }
}
