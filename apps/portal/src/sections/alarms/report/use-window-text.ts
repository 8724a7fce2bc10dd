import { useIntl } from 'react-intl'
import type { ReportState } from './report-url.ts'

/** Text of the time of a report: a day, the days of a week, a month, or two instants. */
export function useWindowText() {
  const { formatDate, formatDateTimeRange } = useIntl()
  return ({ period, window: { from, to }, zone: timeZone }: ReportState) => {
    if (period === 'month') return formatDate(from, { month: 'long', year: 'numeric', timeZone })
    if (period === 'day') return formatDate(from, { dateStyle: 'full', timeZone })
    if (period === 'week')
      return formatDateTimeRange(from, to - 1, {
        day: 'numeric',
        month: 'long',
        year: 'numeric',
        timeZone,
      })
    return formatDateTimeRange(from, to, { dateStyle: 'medium', timeStyle: 'short', timeZone })
  }
}
