import { late } from '@longreach/ui/late'
import { ListPage } from '../../parts/pages/ListPage.tsx'
import { SearchField } from '@longreach/ui/SearchField'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { usualZone } from '../../parts/look/time-zone.ts'
import { one, useSearch } from '../../parts/pages/use-search.ts'
import { isFoundIn, useListSearch } from '../../parts/pages/use-list-search.ts'
import { apiKeysQuery, useApiKeys } from './api-key-calls.ts'
import { useApiKeyColumns } from './api-key-columns.tsx'
import { queries } from '../../parts/api/queries.ts'
import type { Asked } from '../../parts/pages/section.ts'

const NewKeyDialog = late(() => import('./NewKeyDialog.tsx'), 'NewKeyDialog')
const ApiKeyPanel = late(() => import('./ApiKeyPanel.tsx'), 'ApiKeyPanel')

/** Starts the call for the keys. */
export const loader = ({ org }: Asked) => void queries.prefetchQuery(apiKeysQuery(org))

/** Keys for programs that call the API in a person's or a service account's name. */
export function Component() {
  const t = useWords()
  const [search, change] = useSearch()
  const list = useApiKeys()
  const { text, field, clear } = useListSearch()
  const opened = one(search['key'])
  const all = list.data?.content ?? []
  const rows = all.filter((key) => isFoundIn([`${key.label} ${key.username} ${key.key}`], text))
  const key = all.find(({ id }) => String(id) === opened)
  return (
    <ListPage
      title={t('shell.section.api-keys')}
      count={list.data && all.length}
      help={t('api-keys.help')}
      actions={<NewKeyButton />}
      name="api-keys"
      columns={useApiKeyColumns()}
      rows={rows}
      rowId={({ id }) => String(id)}
      selected={opened}
      onOpen={({ id }) => void change({ key: id })}
      list={list}
      toolbar={<SearchField label={t('api-keys.search')} {...field} />}
      footer={
        list.data && (
          <>
            <span>{t('api-keys.shown', { shown: rows.length, total: all.length })}</span>
            <span>{t('api-keys.times', { zone: usualZone() })}</span>
          </>
        )
      }
      none={{
        title: t('api-keys.none'),
        text: t('api-keys.noneText'),
        action: <NewKeyButton />,
      }}
      filtered={
        text === ''
          ? undefined
          : { title: t('api-keys.notFound'), clear: t('api-keys.clearFilter'), onClear: clear }
      }
      panel={
        key && (
          <ApiKeyPanel key={key.id} apiKey={key} onClose={() => void change({ key: undefined })} />
        )
      }
    />
  )
}

function NewKeyButton() {
  const t = useWords()
  const [opened, setOpened] = useState(false)
  return (
    <>
      <Button leftSection={<IconPlus size={16} />} onClick={() => setOpened(true)}>
        {t('api-keys.new')}
      </Button>
      {opened && <NewKeyDialog onClose={() => setOpened(false)} />}
    </>
  )
}
