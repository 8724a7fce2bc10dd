import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useEffectEvent, useMemo } from 'react'
import { reportProblem } from '../../parts/api/problems.ts'
import type { Line } from './explore-url.ts'
import { mostRecent, withDrawn } from './recent-values.ts'
import { useKeptValues } from './use-kept-values.ts'
import { useKnown } from './use-known.ts'

const settledMs = 2_000
const useKept = () => useKeptValues('data-explore.recent', mostRecent)

/** The values that a person drew last in this organization, the last first. */
export const useRecentValues = () => useKept().values

/** Keeps what is drawn as drawn last, once it is known that the person may see it. */
export function useKeepDrawn(lines: readonly Line[]) {
  const { known, values, keep } = useKept()
  const [settled] = useDebouncedValue(lines, settledMs)
  const devices = useMemo(() => [...new Set(settled.map(({ device }) => device))], [settled])
  const { tagOf } = useKnown(devices)
  const drawn = useMemo(() => settled.filter((line) => tagOf(line)), [settled, tagOf])
  const remember = useEffectEvent((now: readonly Line[]) => {
    const next = withDrawn(values, now)
    if (next === values) return
    keep(next).catch((cause: unknown) => reportProblem('The drawn values are not kept', cause))
  })
  useEffect(() => {
    if (known) remember(drawn)
  }, [known, drawn])
}
