import { Page, PageHeader, Panel } from '@longreach/ui/PageHeader'
import { useWords } from '@longreach/ui/use-words'
import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, query } from '../../lib/api.ts'
import { useSearch } from '../../lib/use-search.ts'
import { useHere } from './preset-calls.ts'
import classes from './presets.module.css'

/** A new preset begins with a model. */
export function ChooseModel() {
  const t = useWords()
  const here = useHere()
  const [, change] = useSearch()
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text, 250)
  const asked = {
    ...here,
    page: 0,
    pageSize: 100,
    omitContent: true,
    ...(search !== '' && { search }),
  }
  const { data } = useQuery({
    ...query(api.mappings.models, { query: asked }),
    placeholderData: keepPreviousData,
  })
  const options = (data?.data ?? []).map(({ id, name, version }) => ({
    value: id,
    label: `${name} ${version}`,
  }))
  return (
    <Page>
      <PageHeader title={t('presets.new')} help={t('presets.chooseModelHelp')} />
      <Panel>
        <div className={classes.narrow}>
          <Select
            label={t('presets.model')}
            placeholder={t('presets.chooseModel')}
            searchable
            data={options}
            value={null}
            onSearchChange={setText}
            nothingFoundMessage={t('presets.noModelFound')}
            onChange={(model) => model !== null && void change({ model })}
          />
        </div>
      </Panel>
    </Page>
  )
}
