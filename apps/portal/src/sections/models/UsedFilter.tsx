import { useWords } from '@longreach/ui/use-words'
import { Select } from '@mantine/core'
import classes from './models.module.css'

type Props = { used: 'yes' | 'no' | undefined; onChange: (used: string | undefined) => void }

/** Only models that are used, or only those that are not; apart, since a list of choices is large. */
export function UsedFilter({ used, onChange }: Props) {
  const t = useWords()
  return (
    <Select
      className={classes.usedFilter ?? ''}
      aria-label={t('models.usedFilter')}
      placeholder={t('models.usedFilter')}
      clearable
      data={[
        { value: 'yes', label: t('models.used') },
        { value: 'no', label: t('models.unused') },
      ]}
      value={used ?? null}
      onChange={(value) => onChange(value ?? undefined)}
    />
  )
}
