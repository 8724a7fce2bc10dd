import type { ChartSeries } from '@longreach/ui/chart-data'
import { isDoubtful } from '@longreach/ui/chart-grades'
import { useWords } from '@longreach/ui/use-words'
import classes from './ChartLegend.module.css'
import type { Explored } from './use-explored.ts'

/** Legend of dotted lines, dashed lines and values from before the window, of those that are drawn. */
export function ChartLegend({ explored: { series, before, window } }: { explored: Explored }) {
  const t = useWords()
  const shown = series.filter(({ hidden }) => !hidden)
  // What ends at once needs no word.
  const least = (window.to - window.from) / 50
  const reaches = ({ held }: ChartSeries) =>
    held !== undefined && held.to - Math.max(held.from, window.from) > least
  const all = [
    { key: 'dotted', word: 'data-explore.dotted', used: shown.some(isDoubtful) },
    { key: 'dashed', word: 'data-explore.dashed', used: before.length > 0 },
    { key: 'held', word: 'data-explore.held', used: shown.some(reaches) },
  ] as const
  const entries = all.filter(({ used }) => used)
  if (entries.length === 0) return null
  return (
    <ul className={classes.legend} aria-label={t('data-explore.legend')}>
      {entries.map(({ key, word }) => (
        <li key={key}>
          <svg width="26" height="8" aria-hidden>
            <line x1="2" x2="24" y1="4" y2="4" data-stroke={key} />
          </svg>
          {t(word)}
        </li>
      ))}
    </ul>
  )
}
