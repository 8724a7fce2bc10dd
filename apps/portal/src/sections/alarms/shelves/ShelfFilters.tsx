import { SearchField } from '@longreach/ui/SearchField'
import { useWords } from '@longreach/ui/use-words'
import { Checkbox, Select } from '@mantine/core'
import { shelfReasons, shelfTargets } from '../../../parts/alarms/shelf-calls.ts'
import type { useSearch } from '../../../parts/pages/use-search.ts'
import classes from './shelves.module.css'

type Props = {
  filters: Record<'q' | 'kind' | 'reason' | 'mine', string | undefined>
  onChange: ReturnType<typeof useSearch>[1]
}

/** Search, kind and reason of what is shelved, and only one's own; each stands in the address. */
export function ShelfFilters({ filters: { q = '', kind, reason, mine }, onChange }: Props) {
  const t = useWords()
  return (
    <>
      <SearchField
        label={t('alarm-shelves.search')}
        text={q}
        onText={(next) => void onChange({ q: next })}
      />
      <Select
        className={classes.filter}
        aria-label={t('alarm-shelves.type')}
        placeholder={t('alarm-shelves.type')}
        clearable
        data={shelfTargets.map((one) => ({ value: one, label: t(`alarm-shelves.type.${one}`) }))}
        value={kind ?? null}
        onChange={(next) => void onChange({ kind: next ?? undefined })}
      />
      <Select
        className={classes.filter}
        aria-label={t('alarm-shelves.reason')}
        placeholder={t('alarm-shelves.reason')}
        clearable
        data={shelfReasons.map((one) => ({ value: one, label: t(`alarm-shelves.reason.${one}`) }))}
        value={reason ?? null}
        onChange={(next) => void onChange({ reason: next ?? undefined })}
      />
      <Checkbox
        label={t('alarm-shelves.mine')}
        checked={mine === 'yes'}
        onChange={(event) =>
          void onChange({ mine: event.currentTarget.checked ? 'yes' : undefined })
        }
      />
    </>
  )
}
