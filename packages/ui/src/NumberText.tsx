import { useIntl } from 'react-intl'
import { formatBytes, formatValue } from './format.ts'

type NumberTextProps = { value: number | undefined | null; unit?: string; digits?: number }

/** A measured number in the person's writing, digits of one width; a dash when it was not measured. */
export function NumberText({ value, unit, digits = 4 }: NumberTextProps) {
  const { locale } = useIntl()
  return (
    <span style={{ fontVariantNumeric: 'tabular-nums' }}>
      {formatValue(value, { unit, digits, locale })}
    </span>
  )
}

/** A size in bytes as KiB, or as kB with base 1000. */
export function BytesText({ value, base = 1024 }: { value: number; base?: 1000 | 1024 }) {
  const { locale } = useIntl()
  return (
    <span style={{ fontVariantNumeric: 'tabular-nums' }}>
      {formatBytes(value, { base, locale })}
    </span>
  )
}
