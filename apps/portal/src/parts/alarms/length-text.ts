const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const

/** Length of time in its two largest units: `3 hr 20 min`. */
export function lengthText(ms: number, locale: string) {
  const write = (count: number, unit: string, digits = 0) =>
    new Intl.NumberFormat(locale, {
      style: 'unit',
      unit,
      unitDisplay: 'short',
      maximumFractionDigits: digits,
    }).format(count)
  if (ms < 1_000) return ms === 0 ? write(0, 'second') : write(ms, 'millisecond')
  let rest = ms
  const parts = units.flatMap(([unit, size]) => {
    // Of seconds the part after the point is said too, as a rule may have it.
    const count = unit === 'second' ? rest / size : Math.floor(rest / size)
    rest -= count * size
    return count > 0 ? [write(count, unit, ms < 60_000 ? 3 : 0)] : []
  })
  return parts.slice(0, 2).join(' ')
}
