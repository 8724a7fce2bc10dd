import { useOptionalWords, useWords } from '@longreach/ui/use-words'

/** Name of the field at a place of a rule, with the number of its item where it has several. */
export function usePlaceLabel() {
  const t = useWords()
  const optional = useOptionalWords()
  return (place: string) => {
    const parts = place.split('.')
    const name = parts.findLast((part) => !/^\d+$/.test(part)) ?? ''
    const label =
      optional(`rule-tools.field.${name}`) ??
      optional(`alarm-rules.${name}`) ??
      t('rule-tools.part')
    const item = /^(levels|ladder|schedule\.times)\.(\d+)/.exec(place)?.[2]
    if (place.startsWith('unless.')) return `${t('alarm-rules.part.unless')} · ${label}`
    return item === undefined ? label : `${label} ${Number(item) + 1}`
  }
}
