import { numberFormat } from '@longreach/ui/number-writing'
import { createIntl, createIntlCache, type IntlConfig, type IntlShape } from 'react-intl'

const cache = createIntlCache()

/** Words, times and numbers of a locale; numbers, also those within messages, as the locale names their writing. */
export function portalIntl(config: IntlConfig): IntlShape {
  const intl = createIntl(config, cache)
  // Messages ask the formatters of their own for every number in them.
  intl.formatters.getNumberFormat = (locale, options) => numberFormat(String(locale), options)
  return {
    ...intl,
    formatNumber: (value, options) => numberFormat(intl.locale, options).format(value),
  }
}
