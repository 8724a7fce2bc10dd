import { countOf } from '../../../parts/alarms/severity.ts'
import type { Figures, Report } from './report-calls.ts'

/** Judgement of a figure by its target; none where there is nothing to judge. */
export type Verdict = 'good' | 'bearable' | 'bad' | 'none'

/** Figures that have a target, in the order of the report. */
export const judged = [
  'perHour',
  'floodShare',
  'mostInTenMinutes',
  'worstShare',
  'chattering',
  'standing',
  'stale',
] as const
export type Judged = (typeof judged)[number]

/** Most that is good, and most that is bearable where that is more (EEMUA 191, ISA-18.2). */
export const targets: Record<Judged, { good: number; bearable?: number; below?: true }> = {
  perHour: { good: 6, bearable: 12 },
  floodShare: { good: 0.01, below: true },
  mostInTenMinutes: { good: 10 },
  worstShare: { good: 0.05, below: true },
  chattering: { good: 0 },
  standing: { good: 5, below: true },
  stale: { good: 5, below: true },
}

export function verdictOf(name: Judged, value: number | null): Verdict {
  if (value === null) return 'none'
  const { good, bearable = good, below } = targets[name]
  if (below ? value < good : value <= good) return 'good'
  return bearable > good && value <= bearable ? 'bearable' : 'bad'
}

/** Values of the figures that have a target. */
export const judgedValues = (report: Report): Record<Judged, number | null> => ({
  perHour: report.whole.perHour,
  floodShare: report.whole.floodShare,
  mostInTenMinutes: report.whole.mostInTenMinutes,
  worstShare: report.worstShare,
  chattering: report.chattering,
  standing: report.standing.count,
  stale: report.stale.count,
})

/** Classes of priority, and the share of alarms that each should have. */
const priorities = [
  { name: 'low', severities: ['info', 'low'], target: 0.8 },
  { name: 'medium', severities: ['medium'], target: 0.15 },
  { name: 'high', severities: ['high', 'critical'], target: 0.05 },
] as const

/** Shares of the alarms by priority; those within 10 points of the target are good, within 20 bearable. */
export function sharesOf({ bySeverity, alarms }: Pick<Figures, 'bySeverity' | 'alarms'>) {
  return priorities.map(({ name, severities, target }) => {
    const count = severities.reduce((sum, severity) => sum + countOf(bySeverity, severity), 0)
    const share = alarms > 0 ? count / alarms : null
    return { name, count, share, target, verdict: shareVerdict(share, target) }
  })
}

function shareVerdict(share: number | null, target: number): Verdict {
  if (share === null) return 'none'
  const off = Math.abs(share - target)
  if (off <= 0.1) return 'good'
  return off <= 0.2 ? 'bearable' : 'bad'
}
