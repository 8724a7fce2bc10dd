import { numberFormat } from '@longreach/ui/number-writing'
import { useCallback } from 'react'
import { useIntl } from 'react-intl'
import { lengthIn } from '../../parts/history/resolution.ts'

/** `5 minutes` for 300000, in the person's language. */
export function useLengthText() {
  const { locale } = useIntl()
  return useCallback(
    (ms: number) => {
      const { count, unit } = lengthIn(ms)
      return numberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(count)
    },
    [locale],
  )
}
