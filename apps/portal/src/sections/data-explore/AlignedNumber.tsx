import { alignedNumber } from '@longreach/ui/number-format'
import { useIntl } from 'react-intl'
import classes from './AlignedNumber.module.css'

type Props = {
  value: number
  digits: number
  /** Digits of the numbers above and below that have the most. */
  most?: number
}

/** A number whose point stands in line with those above and below it. */
export function AlignedNumber({ value, digits, most = digits }: Props) {
  const { locale } = useIntl()
  const text = alignedNumber(value, locale, digits)
  if (most <= digits) return text
  // As wide as the digits that are not there, and the point where there is none.
  const room = `${digits === 0 ? '.' : ''}${'0'.repeat(most - digits)}`
  return (
    <>
      {text}
      <span aria-hidden className={classes.room} data-room={room} />
    </>
  )
}
