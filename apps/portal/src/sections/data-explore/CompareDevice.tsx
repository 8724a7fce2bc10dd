import { useWords } from '@longreach/ui/use-words'
import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../parts/api/api.ts'
import { useReach } from '../../parts/session/reach.ts'
import classes from './CompareDevice.module.css'
import type { LineLook } from './explore-look.ts'
import { type Line, withLine } from './explore-url.ts'

type Props = {
  lines: readonly Line[]
  /** Other things drawn with a colour, such as formulas. */
  also: readonly LineLook[]
  onLines: (lines: readonly Line[]) => void
}

/** Puts the same paths of another device beside those that are drawn. */
export function CompareDevice({ lines, also, onLines }: Props) {
  const t = useWords()
  const organization = useReach()
  const [text, setText] = useState('')
  const [opened, setOpened] = useState(false)
  const [search] = useDebouncedValue(text.trim(), 250)
  const question = { organization, orderBy: 'name', pageSize: 30, ...(search && { search }) }
  const { data } = useQuery({
    queryKey: [api.mappings.devices.key, 'compare', question],
    queryFn: ({ signal }) => api.mappings.devices({ query: question }, { signal }),
    enabled: opened,
    placeholderData: keepPreviousData,
  })
  const drawn = new Set(lines.map(({ device }) => device))
  const others = (data?.data ?? []).filter(({ deviceId }) => !drawn.has(deviceId))
  const add = (device: string | null) => {
    setText('')
    if (device === null) return
    const paths = new Set(lines.map(({ path }) => path))
    onLines(
      [...paths].reduce<readonly Line[]>(
        (all, path) => withLine(all, { device, path }, also),
        lines,
      ),
    )
  }
  return (
    <Select
      className={classes.compareDevice}
      aria-label={t('data-explore.compareDevice')}
      placeholder={t('data-explore.compareDevice')}
      leftSection={<IconPlus size={15} />}
      searchable
      value={null}
      searchValue={text}
      data={others.map(({ deviceId, label }) => ({ value: deviceId, label }))}
      filter={({ options }) => options}
      onDropdownOpen={() => setOpened(true)}
      onSearchChange={setText}
      onChange={add}
    />
  )
}
