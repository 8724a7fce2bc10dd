/** Digits after the point so that `value` shows at most four significant digits but never loses whole ones. */
export function fractionDigits(value: number) {
  const size = Math.abs(value)
  if (size === 0 || !Number.isFinite(size)) return 0
  return Math.min(6, Math.max(0, 3 - Math.floor(Math.log10(size))))
}

/** A measured number for reading: `47.2`, `12,345`, `0.00123`; grouped even where the locale would not group four digits. */
export function readableNumber(value: number, locale: string, digits = fractionDigits(value)) {
  if (value !== 0 && (Math.abs(value) >= 1e12 || Math.abs(value) < 1e-6))
    return new Intl.NumberFormat(locale, {
      notation: 'scientific',
      maximumFractionDigits: 3,
    }).format(value)
  return numberFormat(locale, digits).format(value)
}

const formats = new Map<string, Intl.NumberFormat>()
function numberFormat(locale: string, digits: number) {
  const key = `${locale} ${digits}`
  const known = formats.get(key)
  if (known) return known
  const format = new Intl.NumberFormat(locale, {
    maximumFractionDigits: digits,
    useGrouping: 'always',
  })
  formats.set(key, format)
  return format
}
