import { useWords } from '@longreach/ui/use-words'
import { useIntl } from 'react-intl'
import { lengthText } from '../../../parts/alarms/length-text.ts'
import { type Judged, targets } from './targets.ts'

const shares: readonly Judged[] = ['floodShare', 'worstShare']

/** Texts of figures and of their targets; a dash stands for what is not known. */
export function useFigureText() {
  const t = useWords()
  const { locale, formatNumber } = useIntl()
  const number = (value: number) =>
    formatNumber(value, { maximumFractionDigits: value < 10 ? 1 : 0 })
  const share = (value: number | null) =>
    value === null
      ? '—'
      : formatNumber(value, {
          style: 'percent',
          maximumFractionDigits: value > 0 && value < 0.1 ? 1 : 0,
        })
  const figure = (name: Judged, value: number | null) => {
    if (value === null) return '—'
    return shares.includes(name) ? share(value) : number(value)
  }
  const target = (name: Judged) => {
    const { good, bearable, below } = targets[name]
    const most = shares.includes(name) ? share(good) : number(good)
    if (bearable !== undefined)
      return t('alarm-report.target.two', { good: most, bearable: number(bearable) })
    if (good === 0) return t('alarm-report.target.none')
    return t(below ? 'alarm-report.target.below' : 'alarm-report.target.most', { good: most })
  }
  /** Length of time in whole seconds. */
  const length = (seconds: number | null) =>
    seconds === null ? '—' : lengthText(Math.round(seconds) * 1_000, locale)
  return { number, share, figure, target, length }
}
