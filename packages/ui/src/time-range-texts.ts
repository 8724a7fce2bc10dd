import type { QuickRange } from './time-range.ts'
import type { MessageId } from './use-words.ts'

/** Message of each quick range. */
export const rangeTexts: Record<QuickRange, MessageId> = {
  '5m': 'charts.last5m',
  '15m': 'charts.last15m',
  '1h': 'charts.last1h',
  '6h': 'charts.last6h',
  '24h': 'charts.last24h',
  '7d': 'charts.last7d',
  '30d': 'charts.last30d',
  '90d': 'charts.last90d',
  today: 'charts.today',
  yesterday: 'charts.yesterday',
  'this-week': 'charts.thisWeek',
  'this-month': 'charts.thisMonth',
}
