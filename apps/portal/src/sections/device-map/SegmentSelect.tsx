import { useWords } from '@longreach/ui/use-words'
import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, query } from '../../parts/api/api.ts'
import { useReach } from '../../parts/session/reach.ts'
import classes from './SegmentSelect.module.css'

type Props = { value: string | undefined; onChange: (segment: string | undefined) => void }

/** The devices of a saved segment only. */
export function SegmentSelect({ value, onChange }: Props) {
  const t = useWords()
  const organization = useReach()
  const { data } = useQuery(query(api.mappings.segments, { query: { organization } }))
  if (!data || data.data.length === 0) return null
  return (
    <Select
      className={classes.segment}
      aria-label={t('device-map.segment')}
      placeholder={t('device-map.segment')}
      clearable
      clearButtonProps={{ 'aria-label': t('device-map.segmentAny') }}
      value={value ?? null}
      data={data.data.map(({ id, name }) => ({ value: id, label: name }))}
      onChange={(segment) => onChange(segment ?? undefined)}
    />
  )
}
