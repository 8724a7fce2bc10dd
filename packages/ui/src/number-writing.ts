/** Signs of a number that a person chose: what groups thousands, and what parts whole from decimals. */
const signs = {
  point: { group: ',', decimal: '.' },
  comma: { group: '.', decimal: ',' },
  space: { group: '\u202f', decimal: ',' },
  quote: { group: '’', decimal: '.' },
} as const

type NumberSigns = keyof typeof signs
/** Signs of written numbers; `auto` follows the language. */
export type NumberWriting = 'auto' | NumberSigns
export const numberWritings: readonly NumberWriting[] = ['auto', 'point', 'comma', 'space', 'quote']

const mark = '-x-num-'

/** The locale with the writing of numbers that somebody chose, for all that writes numbers; the last of its parts. */
export const withNumbers = (locale: string, writing: NumberWriting) =>
  writing === 'auto' ? locale : `${locale}${mark}${writing}`

const formats = new Map<string, Intl.NumberFormat>()

/** Number format of a locale, with the signs that the person chose. All numbers are written with it. */
export function numberFormat(locale: string, options: Intl.NumberFormatOptions = {}) {
  const key = `${locale} ${JSON.stringify(options)}`
  const known = formats.get(key)
  if (known) return known
  const [language, name] = locale.split(mark)
  const chosen = Object.hasOwn(signs, name ?? '') ? signs[name as NumberSigns] : undefined
  const format = chosen
    ? new ChosenNumberFormat(language, options, chosen)
    : new Intl.NumberFormat(locale, options)
  formats.set(key, format)
  return format
}

type Signs = (typeof signs)[NumberSigns]

/** A writer with the signs of a person instead of those of the language; words and order stay. */
class ChosenNumberFormat extends Intl.NumberFormat {
  readonly #signs: Signs

  constructor(language: string | undefined, options: Intl.NumberFormatOptions, chosen: Signs) {
    // Spanish and Italian leave four digits ungrouped; the choice shows them grouped.
    super(language, {
      ...(options.notation !== 'compact' && { useGrouping: 'always' }),
      ...options,
    })
    this.#signs = chosen
  }

  override format(value: number | bigint | Intl.StringNumericLiteral) {
    const text = ({ type, value: own }: Intl.NumberFormatPart) =>
      type === 'group' || type === 'decimal' ? this.#signs[type] : own
    return this.formatToParts(value).map(text).join('')
  }
}
