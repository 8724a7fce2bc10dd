import { isShownOtherwise, shownValue } from '@longreach/ui/shown-unit'
import { useWords } from '@longreach/ui/use-words'
import { useIntl } from 'react-intl'
import { useLook } from '../look/look.ts'
import { plainValue } from './TagValue.tsx'

type Unit = string | undefined

/** Values of devices as texts in the person's language, numbers and unit. */
export function useValueText() {
  const t = useWords()
  const { locale } = useIntl()
  const { temperature } = useLook()
  const written = (value: unknown, unit: Unit) =>
    plainValue(value, { locale, t }) + (unit ? `\u00a0${unit}` : '')
  /** With its unit: `365 °F`. */
  const text = (value: unknown, unit: Unit) => {
    const shown = shownValue(value, unit, temperature)
    return written(shown.value, shown.unit)
  }
  /** As it is written to the device, and as the person reads it: `185 °C (365 °F)`. */
  const bothText = (value: unknown, unit: Unit) => {
    const device = written(value, unit)
    return typeof value === 'number' && isShownOtherwise(unit, temperature)
      ? `${device} (${text(value, unit)})`
      : device
  }
  /** `180 → 185.5 °C` */
  const changeText = (from: unknown, to: unknown, unit: Unit) => {
    const [before, after] = [from, to].map((value) => shownValue(value, unit, temperature))
    // A unit that both share stands once.
    const own = before?.unit === after?.unit ? undefined : before?.unit
    return [written(before?.value, own), '→', written(after?.value, undefined), after?.unit]
      .filter((part) => part !== undefined)
      .join(' ')
  }
  return { text, bothText, changeText }
}
