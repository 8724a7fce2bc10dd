import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { IconFilter, IconX } from '@tabler/icons-react'
import type { useSearch } from '../../../parts/pages/use-search.ts'
import shared from '../devices.module.css'
import classes from './FilterParts.module.css'

/** Changes the filters in the address. */
export type Change = ReturnType<typeof useSearch>[1]

/** Opens all filters. */
export function FilterButton({ onClick }: { onClick?: () => void }) {
  const t = useWords()
  return (
    <Button
      variant="default"
      leftSection={<IconFilter size={15} stroke={1.6} />}
      aria-haspopup="dialog"
      {...(onClick && { onClick })}
    >
      {t('devices.filter')}
    </Button>
  )
}

type ChipProps = { name: string; value: string; onRemove: () => void }

/** A filter that is on, and the way to take it away. */
export function Chip({ name, value, onRemove }: ChipProps) {
  const t = useWords()
  return (
    <span className={classes.chip}>
      <span className={shared.dim}>{name}</span> <b>{value}</b>
      <button
        type="button"
        aria-label={t('devices.removeFilter', { filter: `${name} ${value}` })}
        onClick={onRemove}
      >
        <IconX size={13} stroke={1.8} aria-hidden />
      </button>
    </span>
  )
}
