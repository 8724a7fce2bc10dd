import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { useWords } from '@longreach/ui/use-words'
import { useUnjudged, useUnjudgedTimes } from './unjudged.ts'

const mostLines = 3

/** Says of which devices a rule has not judged late values, and why; nothing while there are none. */
export function UnjudgedNotice({ ruleId }: { ruleId: string }) {
  const t = useWords()
  const timesOf = useUnjudgedTimes()
  const all = useUnjudged({ ruleId })
  if (all.length === 0) return null
  const lines = all
    .slice(0, mostLines)
    .map((one) =>
      t(`rule-places.unjudged.${one.reason}`, { device: one.deviceLabel, ...timesOf(one) }),
    )
  const more = new Set(all.slice(mostLines).map(({ deviceId }) => deviceId)).size
  if (more > 0) lines.push(t('rule-places.unjudgedMore', { count: more }))
  return <ErrorPanel tone="warning" message={lines.join(' ')} />
}
