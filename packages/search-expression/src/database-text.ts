/** Texts of values as PostgreSQL writes them, for comparisons by text. */

/** Text of a `double precision`. */
export function doubleText(value: number) {
  if (!Number.isFinite(value)) return String(value)
  if (value === 0) return Object.is(value, -0) ? '-0' : '0'
  const { sign, digits, exponent } = partsOf(value)
  if (exponent >= -4 && exponent < 15) return sign + fixed(digits, exponent)
  const fraction = digits.length > 1 ? `.${digits.slice(1)}` : ''
  const power = String(Math.abs(exponent)).padStart(2, '0')
  return `${sign}${digits[0] ?? ''}${fraction}e${exponent < 0 ? '-' : '+'}${power}`
}

/** Text of a number in `jsonb`, which has no powers of ten. */
function numericText(value: number) {
  if (value === 0) return '0'
  const { sign, digits, exponent } = partsOf(value)
  return sign + fixed(digits, exponent)
}

/** Decimal digits of a number without zeros at its end; the first stands before the point. */
function partsOf(value: number) {
  const [mantissa = '', power = ''] = Math.abs(value).toExponential().split('e')
  return { sign: value < 0 ? '-' : '', digits: mantissa.replace('.', ''), exponent: Number(power) }
}

function fixed(digits: string, exponent: number) {
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${digits}`
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0')
  const rest = digits.slice(exponent + 1)
  return rest === '' ? whole : `${whole}.${rest}`
}

/** Text of a time, ms since 1970, in UTC. */
export function timeText(ms: number) {
  const time = new Date(ms)
  if (Number.isNaN(time.getTime())) return undefined
  const year = time.getUTCFullYear()
  const [, rest = ''] = /^[+-]?\d+(-.*)Z$/.exec(time.toISOString()) ?? []
  const written = rest.replace('T', ' ').replace(/\.?0+$/, '')
  return `${String(year > 0 ? year : 1 - year).padStart(4, '0')}${written}${year > 0 ? '' : ' BC'}+00`
}

/** Text of a JSON value as `jsonb #>> '{}'` gives it; undefined for null and for no value. */
export function jsonText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  return typeof value === 'string' ? value : innerText(value)
}

function innerText(value: unknown): string {
  if (typeof value === 'number') return numericText(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(innerText).join(', ')}]`
  const entries = Object.entries(value)
    .filter(([, one]) => one !== undefined)
    .map(([key, one]) => ({ key, bytes: new TextEncoder().encode(key), one }))
    .toSorted((a, b) => a.bytes.length - b.bytes.length || differenceOfBytes(a.bytes, b.bytes))
  return `{${entries.map(({ key, one }) => `${JSON.stringify(key)}: ${innerText(one)}`).join(', ')}}`
}

function differenceOfBytes(one: Uint8Array, other: Uint8Array) {
  const at = one.findIndex((byte, index) => byte !== other[index])
  return at === -1 ? 0 : (one[at] ?? 0) - (other[at] ?? 0)
}
