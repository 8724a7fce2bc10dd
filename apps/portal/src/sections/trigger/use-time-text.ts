import { formatTime } from '@longreach/ui/format'
import { useIntl } from 'react-intl'
import { usualZone } from '../../parts/look/time-zone.ts'

/** Text of a time with seconds, in the zone of the person. */
export function useTimeText() {
  const { locale } = useIntl()
  return (at: number) => formatTime(new Date(at), locale, usualZone())
}
