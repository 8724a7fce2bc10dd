import { late } from '@longreach/ui/late'
import { DataTable } from '@longreach/ui/DataTable'
import { EmptyState } from '@longreach/ui/EmptyState'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { NothingFound } from '@longreach/ui/NothingFound'
import { Page, PageHeader, Split } from '@longreach/ui/PageHeader'
import { SearchField } from '@longreach/ui/SearchField'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { useIntl } from 'react-intl'
import { useErrorText } from '../../parts/words/error-text.ts'
import { usualZone } from '../../parts/look/time-zone.ts'
import { one, useSearch } from '../../parts/pages/use-search.ts'
import { type ApiKey, useApiKeys } from './api-key-calls.ts'
import { useApiKeyColumns } from './api-key-columns.tsx'

const NewKeyDialog = late(async () => ({
  default: (await import('./NewKeyDialog.tsx')).NewKeyDialog,
}))
const ApiKeyPanel = late(async () => ({
  default: (await import('./ApiKeyPanel.tsx')).ApiKeyPanel,
}))

/** Keys for programs that call the API in a person's or a service account's name. */
export function Component() {
  const t = useWords()
  const intl = useIntl()
  const errorText = useErrorText()
  const [search, change] = useSearch()
  const list = useApiKeys()
  const text = one(search['q']) ?? ''
  const opened = one(search['key'])
  const all = list.data?.content ?? []
  const rows = all.filter((key) => fits(key, text))
  const key = all.find(({ id }) => String(id) === opened)
  const close = () => void change({ key: undefined })
  return (
    <Page>
      <PageHeader
        title={t('shell.section.api-keys')}
        count={list.data && intl.formatNumber(all.length)}
        help={t('api-keys.help')}
        actions={<NewKeyButton />}
      />
      <Split>
        <DataTable
          name="api-keys"
          label={t('shell.section.api-keys')}
          columns={useApiKeyColumns()}
          rows={rows}
          rowId={({ id }) => String(id)}
          selected={opened}
          onOpen={({ id }) => void change({ key: id })}
          fetching={list.isFetching && !list.isPending}
          toolbar={
            <SearchField
              label={t('api-keys.search')}
              text={text}
              onText={(q) => void change({ q })}
            />
          }
          footer={
            list.data && (
              <>
                <span>{t('api-keys.shown', { shown: rows.length, total: all.length })}</span>
                <span>{t('api-keys.times', { zone: usualZone() })}</span>
              </>
            )
          }
          empty={
            list.isPending ? (
              <RowsSkeleton />
            ) : list.error ? (
              <ErrorPanel {...errorText(list.error)} onRetry={() => void list.refetch()} />
            ) : (
              <Nothing filtered={text !== ''} onClear={() => void change({ q: undefined })} />
            )
          }
        />
        {key && (
          <Suspense fallback={null}>
            <ApiKeyPanel key={key.id} apiKey={key} onClose={close} />
          </Suspense>
        )}
      </Split>
    </Page>
  )
}

const fits = ({ label, username, key }: ApiKey, text: string) =>
  `${label} ${username} ${key}`.toLowerCase().includes(text.trim().toLowerCase())

function Nothing({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  const t = useWords()
  if (!filtered)
    return (
      <EmptyState
        kind="nothing"
        title={t('api-keys.none')}
        text={t('api-keys.noneText')}
        action={<NewKeyButton />}
      />
    )
  return (
    <NothingFound
      title={t('api-keys.notFound')}
      clear={t('api-keys.clearFilter')}
      onClear={onClear}
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
      {opened && (
        <Suspense fallback={null}>
          <NewKeyDialog onClose={() => setOpened(false)} />
        </Suspense>
      )}
    </>
  )
}
